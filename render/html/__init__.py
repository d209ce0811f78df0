"""Self-contained HTML pages, with their templates, styles and scripts."""
