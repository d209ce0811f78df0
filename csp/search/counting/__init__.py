"""Counts cut into parts: scheduler, ledger, cluster, and the plain method."""
