"""Whose words may become memories, and who may be given any: the consent rules."""
