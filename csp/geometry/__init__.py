"""Exact numbers and polygons, independent of any puzzle."""
