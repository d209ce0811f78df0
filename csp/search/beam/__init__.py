"""Beam search for the best score."""
