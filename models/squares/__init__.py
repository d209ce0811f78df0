"""Edge-matching puzzles and jigsaws as CNF and CP models; export and reading answers."""
