"""Reads which parts of the author's life the sentences of a message say have changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.change_statement import ChangeStatement
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, MIN_PROBABILITY, changed_parts
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
    before = set(_parts_changed_before(previous))
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
            changed = map(changed_parts, read_life_sentences(earlier.text))
            yield from (_likeliest(parts) for parts in changed if sum(parts.values()) >= MIN_PROBABILITY)


def _likeliest(parts: Mapping[str, float]) -> str:
    return max(parts, key=lambda part: parts[part])
