"""Derives the keys of an older version again, which split a word at its combining marks: two sisters had one key."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from keepsake.domain.text import normalize_apostrophes, slug, words

_MAX_WORDS = 6
_SPLIT = re.compile(r"[\W_]+")


def respell_key(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with every part of its key, value and references that stands in its own words spelt as it is today."""
    spelled = _spellings(f"{row.get('entity_label') or ''} . {row['memory_text']}")
    if not spelled:
        return {**row}
    key, refs = row["memory_key"], row["entity_refs"] or ()
    return {
        **row,
        "memory_key": key and "|".join(spelled.get(part, part) for part in key.split("|")),
        "value": spelled.get(row["value"], row["value"]),
        "entity_refs": [":".join(spelled.get(part, part) for part in ref.split(":")) for ref in refs],
    }


def _spellings(text: str) -> dict[str, str]:
    """For phrases of a text that an older version split: how it wrote them, and how they are written."""
    if text.isascii():
        return {}
    said = words(text)
    return {split: whole for phrase in _phrases(said) if (split := _split_slug(phrase)) != (whole := slug(phrase))}


def _phrases(said: list[str]) -> Iterable[str]:
    for start in range(len(said)):
        for end in range(start + 1, min(start + _MAX_WORDS, len(said)) + 1):
            yield " ".join(said[start:end])


def _split_slug(text: str) -> str:
    normalized = unicodedata.normalize("NFKC", normalize_apostrophes(text)).casefold().replace("'", "")
    return "_".join(_SPLIT.sub(" ", normalized).split())
