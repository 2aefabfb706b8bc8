"""Says in plain words why a memory is there, and why a message left none."""
