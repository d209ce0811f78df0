"""What the records say."""
