"""Artwork for jigsaws, and renderings of them."""
