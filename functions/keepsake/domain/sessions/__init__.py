"""Sessions of a person with a persona: what each was about, and what was said of late."""
