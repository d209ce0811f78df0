"""Formats of the community: piece text, tables, viewer links."""
