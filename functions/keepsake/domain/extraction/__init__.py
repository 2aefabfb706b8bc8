"""Extraction: makes candidates of one message, from a model's reply or by rules."""
