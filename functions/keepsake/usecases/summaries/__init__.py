"""What the functions that generate summaries share."""
