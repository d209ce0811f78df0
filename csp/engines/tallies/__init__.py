"""What becomes of the solutions that engines find: how many there are, which are the same, which are shown."""
