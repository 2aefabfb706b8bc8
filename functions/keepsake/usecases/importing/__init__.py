"""Reading, judging and writing the rows of an imported file."""
