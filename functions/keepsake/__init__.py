"""Keepsake: a long-term memory layer for chat applications on Supabase."""
