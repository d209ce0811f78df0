"""Puzzles to order: framed sets, jigsaws with K solutions."""
