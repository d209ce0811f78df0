"""What is on each sheet of a cut jigsaw."""
