"""Puzzles and solutions in files: jigsat's and the community's formats."""
