"""Prompts as pure, versioned functions."""
