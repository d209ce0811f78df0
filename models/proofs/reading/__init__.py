"""Strict reading of formulas and proofs, in bulk."""
