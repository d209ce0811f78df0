"""The analysis of the records of an experiment."""
