"""The bundled puzzles, one JSON file each, in a folder for each kind."""
