"""Questions about all tilings of a dissection: other targets, pieces always together, the graph of moves."""
