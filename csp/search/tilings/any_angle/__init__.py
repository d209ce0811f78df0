"""The dissection engine for any angle: every sign exact."""
