"""How people see pictures: matched tones, what matters, and artwork with the least visible error."""
