"""Races for the best score: runs of days, their statistics and their page."""
