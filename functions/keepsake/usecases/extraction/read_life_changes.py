"""Adds to what the rules read of messages the changes that a classifier finds in the words of their sentences.

The embedding model of this process adds what its layers make of them, however busy the machine is; with another model,
or none, words alone decide. No
database connection is open meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.life_changes.life_change_classifier import (
    MIN_COMPARED,
    MIN_PROBABILITY,
    changed_parts,
)
from keepsake.domain.merging.changes.life_changes.life_sentences import read_life_sentences
from keepsake.domain.merging.changes.previous_message import memories_of_previous_message
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.usecases.extraction.proposals import MessageToRead, Proposal, ReadingOutcome

_PURPOSE = "changes"

Parts = Mapping[str, float]
"""Parts of life with the probabilities that they have changed."""


async def add_life_changes(
    resources: Resources, messages: Sequence[MessageToRead], outcomes: Sequence[ReadingOutcome]
) -> list[ReadingOutcome]:
    """The outcomes of reading these messages, with the changes of parts of life that the messages tell."""
    parts = await _classify(resources, [one for outcome in outcomes for one in _sentences(outcome)])
    changed = [
        message
        for message, outcome in zip(messages, outcomes, strict=True)
        if any(parts.get(one) for one in _sentences(outcome))
    ]
    before = await _classify(resources, [one for message in changed for one in _sentences_before(message)])
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


async def _classify(resources: Resources, sentences: Sequence[str]) -> dict[str, Parts]:
    """The parts of life that each sentence says have changed, by its words, and by the model where there is one."""
    wanted = list(dict.fromkeys(sentences))
    scores = await _score(resources, wanted)
    return {one: changed_parts(one, scores.get(one), minimum=MIN_COMPARED) for one in wanted}


async def _score(resources: Resources, sentences: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """What the model says of the sentences; nothing where this process has none."""
    classifier = resources.embedder.classifier if resources.embedder is not None else None
    if classifier is None or not sentences:
        return {}
    started, outcome = time.perf_counter(), "answered"
    try:
        scores = await classifier.score_changes([mask_secrets(one) for one in sentences], deadline=None)
    except ModelUnavailable as failure:
        outcome = failure.kind
        return {}
    finally:
        resources.metrics.embedding_calls.labels(_PURPOSE, outcome).inc()
        resources.metrics.embedding_seconds.labels(_PURPOSE).observe(time.perf_counter() - started)
    return dict(zip(sentences, scores, strict=True))
