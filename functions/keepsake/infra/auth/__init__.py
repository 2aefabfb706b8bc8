"""Authentication: tokens, keys and webhook signatures."""
