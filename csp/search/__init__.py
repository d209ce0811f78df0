"""The native engines: one module or sub-package an algorithm."""
