"""What the commands do with dissections."""
