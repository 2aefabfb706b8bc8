"""The steps of ``erase-memories``."""
