"""Strict pydantic models of what goes over the wire, one module a function."""
