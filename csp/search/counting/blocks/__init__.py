"""Counting by 2x2 blocks."""
