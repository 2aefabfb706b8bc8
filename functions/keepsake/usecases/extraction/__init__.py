"""What looking at a turn is made of: asking a model or rules, merging what they propose, writing what comes of it."""
