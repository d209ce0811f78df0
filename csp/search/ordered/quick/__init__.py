"""Quick kernels: each continues a search of a plain kernel as far as it can, and leaves an equivalent state."""
