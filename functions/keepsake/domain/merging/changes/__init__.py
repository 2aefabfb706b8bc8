"""What a message tells of a change, and what that does to the memories that exist."""
