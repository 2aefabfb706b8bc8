"""What ``archive-old-memories`` is made of."""
