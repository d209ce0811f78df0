"""Generators: framed edge-matching sets, and jigsaws with K solutions."""
