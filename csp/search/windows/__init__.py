"""Windows: the best way to fill some squares of a board, and boards improved window by window."""
