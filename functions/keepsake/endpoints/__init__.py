"""The HTTP shell of each function: no decisions, only wire in and wire out."""
