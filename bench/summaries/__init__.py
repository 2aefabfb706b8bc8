"""Measurements of summaries: which sentences of a model the check keeps."""
