"""Proofs with hints, for programs that are themselves verified."""
