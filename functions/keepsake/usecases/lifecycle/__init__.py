"""The steps of ``archive-old-memories``."""
