"""Who calls: tokens, keys and webhook signatures."""
