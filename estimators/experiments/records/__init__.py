"""The records of runs: on disk, and as a table."""
