"""Protects memories from agents: what the person stated, pinned or confirmed, an agent cannot change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from rapidfuzz import fuzz

from keepsake.domain.agent.paraphrase import is_paraphrase
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.similarity import difference, says_the_same
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Candidate, Memory, Source, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.contradictions import find_contradictions
from keepsake.domain.merging.decisions import Reinforce, Retract, Supersede
from keepsake.domain.merging.precedence import with_key
from keepsake.domain.reading.statements import key_of
from keepsake.domain.text import normalize_words, stem, words

MAX_AGENT_CONFIDENCE = 0.8
"""The highest confidence of a memory from an agent, which may have misunderstood the person."""

_MIN_RATIO = 80
"""From this similarity on, in percent, two statements are about one thing, and different ones contradict."""
_MIN_SHARED_WORDS = 2
_NO_ATTRIBUTE = {"no", "not", "person", *load_sections("similarity")["stop_words"]}

_SPELLINGS = {"favourite": "favorite", "colour": "color", "neighbour": "neighbor", "centre": "center", "love": "like"}

StatementStatus = Literal["known", "confirmed", "said_by_person"]


@dataclass(frozen=True, slots=True)
class PriorStatement:
    """A protected memory that an agent's statement repeats (``known``) or contradicts."""

    status: StatementStatus
    memory: Memory


def is_protected(memory: Memory) -> bool:
    """Whether no agent may change the memory."""
    return memory.source is not Source.AGENT_TOOL or is_confirmed(memory)


def is_confirmed(memory: Memory) -> bool:
    """Whether the person pinned or confirmed the memory."""
    return memory.pinned or memory.confidence >= 1.0


def find_prior_statement(
    candidate: Candidate, existing: Sequence[Memory], *, said_at: datetime
) -> PriorStatement | None:
    """The protected memory that an agent's statement repeats or contradicts, if any."""
    candidate = _with_key(candidate)
    protected = {memory.id: memory for memory in existing if _is_protected_and_current(memory, said_at)}
    unprotected = [_without_protection(memory, said_at) for memory in protected.values()]
    match merge.decide(candidate, unprotected, said_at=said_at):
        case Supersede(adds_detail=True):
            pass  # it contradicts nothing, and takes the place of nothing that is protected
        case Supersede(old_id=contradicted) | Retract(old_id=contradicted):
            return _contradicted(protected[contradicted])
        case Reinforce(memory_id=repeated):
            return PriorStatement("known", protected[repeated])
        case _:
            pass
    if found := find_contradictions(candidate, unprotected):
        return _contradicted(protected[found[0].memory.id])
    if paraphrased := next((memory for memory in unprotected if is_paraphrase(candidate, memory)), None):
        return PriorStatement("known", protected[paraphrased.id])
    opposite = next((memory for memory in unprotected if _contradicts_attribute(candidate, memory)), None)
    return None if opposite is None else _contradicted(protected[opposite.id])


def confirms_ending(candidates: Sequence[Candidate], memory: Memory, *, said_at: datetime) -> bool:
    """Whether the person's own statements end the memory."""
    decisions = merge.merge(candidates, [memory], said_at=said_at)
    return any(isinstance(decision, Supersede | Retract) and decision.old_id == memory.id for decision in decisions)


def matching_statements(candidates: Sequence[Candidate], wanted: Sequence[Candidate]) -> list[Candidate]:
    """Those of the person's own statements that an agent's statements repeat."""
    return [own for own in candidates if any(_state_the_same(own, _with_key(other)) for other in wanted)]


def _state_the_same(own: Candidate, other: Candidate) -> bool:
    if own.retracts != other.retracts:
        return False
    if own.key is not None and own.key == other.key:
        return normalize_words(own.value or "") == normalize_words(other.value or "")
    return says_the_same(own.text, other.text)


def _is_protected_and_current(memory: Memory, said_at: datetime) -> bool:
    """Whether the memory is protected and current; a memory archived in a fold is current too."""
    unarchived = memory._replace(status=Status.ACTIVE) if memory.status is Status.ARCHIVED else memory
    return is_protected(memory) and (is_current(unarchived, said_at) or is_confirmed(memory))


def _without_protection(memory: Memory, said_at: datetime) -> Memory:
    """The memory without protection, so that merging decides what the statement would change."""
    return with_key(
        memory._replace(
            pinned=False,
            confidence=min(memory.confidence, MAX_AGENT_CONFIDENCE),
            source=Source.AGENT_TOOL,
            status=Status.ACTIVE,
            valid_from=min(memory.valid_from, said_at),
            restated_at=None,
            expires_at=None,
        )
    )


def _contradicted(memory: Memory) -> PriorStatement:
    return PriorStatement(
        "confirmed" if is_confirmed(memory) or memory.source is Source.USER else "said_by_person", memory
    )


def _with_key(candidate: Candidate) -> Candidate:
    known = None if candidate.key is not None else key_of(candidate.text)
    return candidate if known is None else replace(candidate, key=known[0], value=known[1])


def _contradicts_attribute(candidate: Candidate, memory: Memory) -> bool:
    """Whether a statement without key is about the attribute of the memory, and differs."""
    if candidate.key is not None and memory.key is not None:
        return _names_attribute(memory, candidate.value or "")
    if fuzz.ratio(normalize_words(candidate.text), normalize_words(memory.text)) >= _MIN_RATIO:
        return True
    content = _content_words(memory.text)
    if len(content) >= _MIN_SHARED_WORDS and content <= _content_words(candidate.text):
        return difference(candidate.text, memory.text) == "negation"
    return _names_attribute(memory, candidate.text)


def _names_attribute(memory: Memory, text: str) -> bool:
    """Whether a text contains all words of the memory's attribute ("and their favorite food is pizza")."""
    attribute = _content_words(memory.text) - _content_words(memory.value or "") if memory.key is not None else set()
    return len(attribute) >= _MIN_SHARED_WORDS and attribute <= _content_words(text)


def _content_words(text: str) -> set[str]:
    content = {_SPELLINGS.get(word, word) for word in words(text.replace("_", " "))}
    return {stem(word) for word in content - _NO_ATTRIBUTE}
