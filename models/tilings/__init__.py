"""Dissections as CNF and CP models; Hamiltonian tours."""
