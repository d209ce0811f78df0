"""What is asked of an engine (goal, limits, options), what it answers (Result), the registry, and what all runs share."""
