"""Predictions of the result and cost of a search, before it runs."""
