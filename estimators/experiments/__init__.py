"""Experiments: their files, the plan, the runs, the records and the report."""
