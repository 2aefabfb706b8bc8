"""What stands in the sky, compared with a person's birth chart: facts for summaries and extraction, nothing else."""
