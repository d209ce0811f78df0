"""Cut sheets of jigsaws and dissections, true to scale."""
