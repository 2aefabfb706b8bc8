"""Strict pydantic models of requests and responses, one module per function."""
