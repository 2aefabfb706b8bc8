"""Summaries of a person's days, weeks and months: which periods there are, and what a summary says."""
