"""Races: many trials for the best score, and the table in which they are kept."""
