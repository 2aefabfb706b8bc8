"""Adds to what the rules read of messages the changes that a classifier finds in the words of their sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.changes.change_statement import ChangeStatement
from keepsake.domain.reading.changes.life_change_classifier import (
    MIN_COMPARED,
    MIN_PROBABILITY,
    changed_parts,
)
from keepsake.domain.reading.changes.life_sentences import read_life_sentences
from keepsake.domain.reading.changes.previous_message import memories_of_previous_message
from keepsake.usecases.extraction.proposals import MessageToRead, Proposal, ReadingOutcome

Parts = Mapping[str, float]
"""Parts of life with the probabilities that they have changed."""


def add_life_changes(messages: Sequence[MessageToRead], outcomes: Sequence[ReadingOutcome]) -> list[ReadingOutcome]:
    """The outcomes of reading these messages, with the changes of parts of life that the messages tell."""
    parts = _classify([one for outcome in outcomes for one in _sentences(outcome)])
    changed = [
        message
        for message, outcome in zip(messages, outcomes, strict=True)
        if any(parts.get(one) for one in _sentences(outcome))
    ]
    before = _classify([one for message in changed for one in _sentences_before(message)])
    return [
        _with_changes(message, outcome, parts, before) if isinstance(outcome, Proposal) else outcome
        for message, outcome in zip(messages, outcomes, strict=True)
    ]


def _sentences(outcome: ReadingOutcome) -> Sequence[str]:
    return outcome.life_sentences if isinstance(outcome, Proposal) else ()


def _with_changes(
    message: MessageToRead, proposal: Proposal, read: Mapping[str, Parts], before: Mapping[str, Parts]
) -> Proposal:
    parts_before = {
        _likeliest(parts)
        for one in _sentences_before(message)
        if (parts := before.get(one)) and sum(parts.values()) >= MIN_PROBABILITY
    }
    last = tuple(memory.id for memory in memories_of_previous_message(message.recent, message.said_at))
    recent = frozenset(memory.id for memory in message.recent)
    changes = [
        ChangeStatement(
            Clause(words=sentence, quote=sentence),
            last=last,
            parts=parts,
            possible_outcomes=recent if _likeliest(parts) in parts_before else frozenset(),
        )
        for sentence in proposal.life_sentences
        if (parts := read.get(sentence))
    ]
    return replace(proposal, changes=(*proposal.changes, *changes)) if changes else proposal


def _sentences_before(message: MessageToRead) -> list[str]:
    """The sentences of the author's messages before, in which the same change may have been told already."""
    return [
        sentence
        for earlier in message.previous
        if earlier.role == "user"
        for sentence in read_life_sentences(earlier.text)
    ]


def _likeliest(parts: Parts) -> str:
    return max(parts, key=lambda part: parts[part])


def _classify(sentences: Sequence[str]) -> dict[str, Parts]:
    """The parts of life that each sentence says have changed, by its words."""
    return {one: changed_parts(one, minimum=MIN_COMPARED) for one in dict.fromkeys(sentences)}
