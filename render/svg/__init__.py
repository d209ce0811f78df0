"""Pictures on the screen."""
