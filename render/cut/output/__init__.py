"""Sheets as SVG, PDF, PNG."""
