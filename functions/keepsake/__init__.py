"""Keepsake: a long-term memory layer for chat applications on Supabase."""

__version__ = "0.1.0"
"""The version of the package, its image and its contract."""
