"""How a puzzle becomes a model, and the engines that solve models."""
