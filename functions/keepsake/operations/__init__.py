"""What an operator runs in production: migrate, worker, doctor, embed, mcp."""
