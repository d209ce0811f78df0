"""What to run: predicted cost, cheapest method, plots of it."""
