"""Jigsaws with three solutions that have no join in common."""
