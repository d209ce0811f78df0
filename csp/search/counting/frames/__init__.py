"""Counting by frames."""
