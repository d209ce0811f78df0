"""The convex polygons that the pieces of a dissection can tile."""
