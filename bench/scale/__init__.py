"""What grows with the number of rows: every query, the nightly archive, the search for summaries that are due."""
