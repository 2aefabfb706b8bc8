"""Reads which parts of the author's life the sentences of a message say have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.change_statement import ChangeStatement
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, changed_parts
from keepsake.domain.reading.changes.life_sentences import read_life_sentences
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.previous_messages import PreviousMessage


def read_life_changes(
    text: str, last: Sequence[Memory], recent: Sequence[Memory], previous: Sequence[PreviousMessage]
) -> list[ChangeStatement]:
    """The sentences that may tell a change, each with the probabilities of the parts of life that it may change.

    ``last`` are the memories of the message before; where one of the ``previous`` messages told the same change, the
    ``recent`` memories may be its outcome.
    """
    changed = {one: parts for one in read_life_sentences(text) if (parts := changed_parts(one, minimum=MIN_COMPARED))}
    if not changed:
        return []
    before = set(_parts_changed_before(previous)) if recent else set[str]()
    return [
        ChangeStatement(
            Clause(words=sentence, quote=sentence),
            last=tuple(memory.id for memory in last),
            parts=parts,
            possible_outcomes=frozenset(memory.id for memory in recent if _likeliest(parts) in before),
        )
        for sentence, parts in changed.items()
    ]


def _parts_changed_before(previous: Sequence[PreviousMessage]) -> Iterator[str]:
    for earlier in previous:
        if earlier.role == "user":
            yield from _parts_changed(earlier.text)


@lru_cache(maxsize=256)  # asked again by each of the messages after it
def _parts_changed(text: str) -> frozenset[str]:
    """The parts of life that a message says have changed."""
    return frozenset(_likeliest(parts) for parts in map(changed_parts, read_life_sentences(text)) if parts)


def _likeliest(parts: Mapping[str, float]) -> str:
    return max(parts, key=lambda part: parts[part])
