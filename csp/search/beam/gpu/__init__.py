"""The beam search on a GPU."""
