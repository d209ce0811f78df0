"""Counting by half-rows."""
