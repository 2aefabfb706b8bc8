"""Small inputs that the product once got wrong, each run in the way that its form asks."""
