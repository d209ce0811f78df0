"""What a puzzle is, what an answer is, and the judges (which share no code with any engine)."""
