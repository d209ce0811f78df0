"""Sheets of paper and the items drawn on them, in millimetres."""
