"""Public functions for puzzles and solutions: search, check, draw, view, export, describe."""
