"""What an agent may do with a person's memory, whichever way it calls."""
