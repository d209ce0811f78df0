"""Puzzles, solutions, and the checkers (which share no code with any engine)."""
