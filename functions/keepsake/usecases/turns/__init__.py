"""One turn or several at once: claimed, read, and finished in one transaction."""
