"""Self-contained pages (with their .js, .css, .html)."""
