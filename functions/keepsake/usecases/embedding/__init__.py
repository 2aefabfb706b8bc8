"""Vectors of memories, made in the background, and of a message, made while it waits."""
