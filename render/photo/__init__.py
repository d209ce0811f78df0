"""The artwork for it, and photographs of it."""
