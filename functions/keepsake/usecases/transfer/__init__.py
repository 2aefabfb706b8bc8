"""What ``import-memories`` is made of."""
