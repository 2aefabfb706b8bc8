"""The story of each function: read, think, decide, write."""
