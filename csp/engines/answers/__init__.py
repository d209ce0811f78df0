"""Files that have the answer of a search, at every moment while it runs."""
