"""What ``erase-memories`` is made of."""
