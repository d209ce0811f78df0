"""Plans: the predicted cost of all ways to a goal, and the choice of the cheapest."""
