"""Extraction without a model: what a person states about themselves, found by rules in their own words."""
