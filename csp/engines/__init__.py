"""Engines: the request (goal, limits, options), the answer (Result), the registry, and the code that all runs share."""
