"""Closing sessions, and writing what is told of them."""
