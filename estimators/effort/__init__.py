"""What a search is predicted to cost along an order or by a method, in words, numbers and pictures."""
