"""The dissection engine on the lattice: an exact cover."""
