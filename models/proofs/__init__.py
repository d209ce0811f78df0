"""Claims, certificates, and checking them."""
