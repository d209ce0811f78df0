"""Scrambles by formulas: second assemblies of jigsaws of any size."""
