"""The rules as tables, one module a subject."""
