"""What everything else builds on: errors, safe files, strict JSON, stopping, seeded numbers, compiled kernels.

It does not know any puzzle.
"""
