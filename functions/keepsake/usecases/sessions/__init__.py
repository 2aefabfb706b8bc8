"""Closing sessions, and writing their summaries, the state of a persona and the spine."""
