"""Chat commands: recognized in a message, executed once, with a result for the model."""
