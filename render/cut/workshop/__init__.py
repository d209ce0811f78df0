"""Pieces as closed outlines, laid apart, and what a workshop needs beside them."""
