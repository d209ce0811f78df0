"""Estimates from random parts of the real tree."""
