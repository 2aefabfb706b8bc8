"""The HTTP endpoint of each function: parses the request, calls the use case, serializes the response."""
