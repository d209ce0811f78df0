"""Engines on puzzles: experiments, their records, and what they say about predictions and engines."""
