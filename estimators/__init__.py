"""Predictions of the result and cost of searches, and experiments that test them."""
