"""Puzzles and solutions in files: ours and the community's formats."""
