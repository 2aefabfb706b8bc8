"""Transits: where the planets stand, compared with a birth chart; facts for summaries and extraction, nothing else."""
