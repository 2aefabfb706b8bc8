"""The one origin of the local stack: REST, functions and a first page."""
