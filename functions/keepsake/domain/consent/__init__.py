"""Consent: whether a message may become memories, and whether memories may be injected."""
