"""Calls of the language model: whether one may be made now, the call, and what it cost."""
