"""The HTTP gateway of the local stack: REST, functions and the chat page at one origin."""
