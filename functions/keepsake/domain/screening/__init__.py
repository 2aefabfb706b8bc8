"""Screening: what may never become a memory, and what may only with little confidence."""
