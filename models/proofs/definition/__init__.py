"""The second encoder: puzzles as formulas by their definition, and the derivation of other formulas from these."""
