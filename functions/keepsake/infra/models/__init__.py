"""Clients of the language model and of the embedding endpoint."""
