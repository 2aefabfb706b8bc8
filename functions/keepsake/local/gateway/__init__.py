"""The HTTP gateway of the local stack: REST, functions and a welcome page at one origin."""
