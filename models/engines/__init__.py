"""The engines that solve models."""
