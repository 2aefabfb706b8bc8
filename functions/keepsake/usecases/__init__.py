"""The steps of each function and job: read, decide, write. No connection is open while a model thinks."""
