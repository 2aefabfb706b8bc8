"""What contexts hold of what a question needs, on public sets of data."""
