"""Jigsaws to cut: curves, sheets, files."""
