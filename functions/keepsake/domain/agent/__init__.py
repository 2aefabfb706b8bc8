"""What the agent tool accepts and answers."""
