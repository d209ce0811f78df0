"""What an engine is asked (goal, limits, options), what it answers (Result), the registry, what all runs share."""
