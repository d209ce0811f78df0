"""Exact numbers and polygons. Knows no puzzle."""
