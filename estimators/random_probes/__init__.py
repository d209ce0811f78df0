"""Estimates from random parts of the search tree."""
