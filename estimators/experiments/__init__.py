"""Experiments: files, plan, runs, journal, advice."""
