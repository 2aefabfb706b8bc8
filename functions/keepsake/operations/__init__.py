"""What an operator runs in production: migrate, adopt, schedule, worker, backfill, doctor, embed, mcp."""
