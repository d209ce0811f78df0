"""The native engines: one module or sub-package per algorithm."""
