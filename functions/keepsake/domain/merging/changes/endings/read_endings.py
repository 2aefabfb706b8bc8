"""Reads what the clauses of a message say has ended: by phrases that fit anything, and by the verb."""

from __future__ import annotations

from collections.abc import Iterator

from keepsake.domain.merging.changes.endings.ending_phrases import has_ending_phrase, read_ending_phrases
from keepsake.domain.merging.changes.endings.facts_that_ended import has_ending_verb, read_ended_by_verb


def may_have_ending(text: str) -> bool:
    """Whether a message has words by which something ends."""
    return has_ending_phrase(text) or has_ending_verb(text)


def read_endings(words: str) -> Iterator[str]:
    """The words of a clause that name what has ended; mostly none."""
    yield from read_ending_phrases(words)
    yield from read_ended_by_verb(words)
