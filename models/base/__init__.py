"""Clauses, encodings by name, solvers in separate processes."""
