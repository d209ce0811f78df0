"""Counting the ways to fill some squares of a board."""
