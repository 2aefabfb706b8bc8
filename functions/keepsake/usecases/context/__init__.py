"""What ``inject-memory`` is made of."""
