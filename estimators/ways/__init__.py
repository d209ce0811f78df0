"""All ways to a goal, and the predicted time of each on this machine."""
