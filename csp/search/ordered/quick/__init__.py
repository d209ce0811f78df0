"""Quick kernels: each takes a search of a plain kernel on as far as it can, and stands then where that would."""
