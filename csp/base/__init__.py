"""What everything stands on: errors, safe files, strict JSON, stopping, seeded numbers, compiled kernels.

It knows no puzzle.
"""
