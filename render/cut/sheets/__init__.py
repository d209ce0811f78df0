"""The content of the sheets of a cut jigsaw."""
