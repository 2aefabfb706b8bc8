"""The people, places, organizations and projects that memories are about."""
