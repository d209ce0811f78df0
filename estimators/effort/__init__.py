"""The predicted cost of a search along an order or by a method, in words, numbers and pictures."""
