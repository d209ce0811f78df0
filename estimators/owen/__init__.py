"""Owen's model: exact expectations, and orders chosen by it."""
