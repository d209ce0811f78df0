"""All ways to a goal, and how long each is predicted to take on this machine."""
