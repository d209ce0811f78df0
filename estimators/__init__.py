"""What a search will find and cost, before it runs, and how well that came true."""
