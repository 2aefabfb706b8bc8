"""What is remembered that should not be: junk, changes that are none, injections, and echoes of an assistant."""
