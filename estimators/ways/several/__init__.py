"""Ways that several engines go together."""
