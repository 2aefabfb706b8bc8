"""Extraction without a model: what a person states about themselves, found by rules in their own words."""

from __future__ import annotations

from keepsake.domain.rules.derive import key_of
from keepsake.domain.rules.engine import extract, top_candidates
from keepsake.domain.rules.reading import Reading, read_message
from keepsake.domain.rules.silence import why_nothing
from keepsake.domain.rules.stating import is_stated

__all__ = ["Reading", "extract", "is_stated", "key_of", "read_message", "top_candidates", "why_nothing"]
