"""From one message to candidates: by a model's reply, or by rules."""
