"""Reads the word forms on import, for processes that read messages: the first call has a deadline."""

from __future__ import annotations

from keepsake.domain.english.lemmas import load_lemma_tables

load_lemma_tables()
