"""Depth-first search along a fixed order of squares: tables, kernels, walks, goals."""
