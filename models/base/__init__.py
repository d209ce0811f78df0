"""Clauses, encodings by name, solvers in processes of their own."""
