"""What the rules, and a small model, take for a memory, one message at a time."""
