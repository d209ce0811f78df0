"""Files that grow while a program works."""
