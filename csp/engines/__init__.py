"""Engines: the request (goal, limits, options), the answer (Result), the registry, and the code that all runs share."""

#: The engines of jigsat: for each kind of puzzle their names, each with module and class.  The highest floor that has
#: engines fills it when the package is imported, because no floor names what stands above it; `registry` reads it.
BUILT_IN: dict[str, dict[str, str]] = {}
