"""Large files, read part by part."""
