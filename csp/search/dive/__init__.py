"""Dives with restarts for the best score."""
