"""The studio: a page in the browser to work in, served on this computer alone."""
