"""What is done with puzzles and solutions besides searching: judged, drawn, shown, handed to other solvers."""
