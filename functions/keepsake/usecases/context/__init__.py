"""Building a context: query vector, selection, command results, rendering."""
