"""Ways that use several engines."""
