"""The curves of tabs, and how much they differ."""
