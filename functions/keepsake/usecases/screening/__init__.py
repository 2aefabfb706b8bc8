"""Screens what a person wrote directly into the database, before a model sees it."""
