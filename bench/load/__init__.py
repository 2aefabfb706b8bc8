"""What the product carries when much is to be done at once: messages, waiting messages, summaries that are due."""
