"""Pictures of graphs whose vertices are tilings."""
