"""The page and the figures."""
