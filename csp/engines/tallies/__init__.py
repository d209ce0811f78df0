"""What becomes of the solutions of engines: their number, which of them are the same, which are shown."""
