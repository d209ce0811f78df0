"""Other questions about a dissection: with some of its pieces, another target, stretched, or without turning over."""
