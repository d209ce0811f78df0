"""What is made to be cut, played and given away."""
