"""Sheets of paper and what can be drawn on them, in millimetres."""
