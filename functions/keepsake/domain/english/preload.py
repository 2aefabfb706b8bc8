"""Imported by the processes that read messages: their lexicon is read before the first call, which has a deadline."""

from __future__ import annotations

from keepsake.domain.english.lemmas import load_lexicon

load_lexicon()
