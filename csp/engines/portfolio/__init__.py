"""Several engines on one puzzle: the first answer counts."""
