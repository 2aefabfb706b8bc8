"""Extraction without a model: what a person states about themselves, found by rules in their own words."""

from __future__ import annotations

from keepsake.domain.extraction.rules.engine import extract, top_candidates
from keepsake.domain.extraction.rules.is_stated import is_stated
from keepsake.domain.extraction.rules.key_of_text import key_of, keys_of
from keepsake.domain.extraction.rules.no_result_reason import no_result_reason
from keepsake.domain.extraction.rules.read_message import LANGUAGE, Reading, read_message

__all__ = [
    "LANGUAGE",
    "Reading",
    "extract",
    "is_stated",
    "key_of",
    "keys_of",
    "no_result_reason",
    "read_message",
    "top_candidates",
]
