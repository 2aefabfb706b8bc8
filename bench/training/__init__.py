"""Trains the small models that are part of the package, and evaluates them on texts they have not learned from."""
