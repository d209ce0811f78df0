"""Counting on a GPU."""
