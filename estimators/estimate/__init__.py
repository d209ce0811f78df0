"""What a search will find and cost, before it runs: all that is known beforehand, as one answer."""
