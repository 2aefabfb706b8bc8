"""What an agent's statement may not touch: what the person said, and what is pinned or confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from rapidfuzz import fuzz

from keepsake.domain.english.similarity import difference, says_the_same
from keepsake.domain.extraction.rules import key_of
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import Candidate, Memory, Source, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.contradictions import find_contradictions
from keepsake.domain.merging.decisions import Reinforce, Retract, Supersede
from keepsake.domain.merging.precedence import with_key
from keepsake.domain.text import normalize_words, stem, word_set, words

MOST_CONFIDENCE = 0.8
"""How sure a memory is at most that an agent tells: it may have understood the person, or not."""

_ALIKE = 80
"""From this similarity on, in percent, two statements are about one thing, and the one that differs contradicts."""
_FEWEST_SHARED = 2
_NO_ATTRIBUTE = word_set("""
    a an the and or to of in on at for with from by as is are was be been being has have had do does did that this it
    its their them they she he her his him i my me we our you your user person not no now really actually very also just
""")
_SPELLINGS = {"favourite": "favorite", "colour": "color", "neighbour": "neighbor", "centre": "center", "love": "like"}

EndpointHealth = Literal["known", "confirmed", "said_by_person"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A memory of the person's own that decides what becomes of an agent's statement, and how."""

    standing: EndpointHealth
    memory: Memory


def is_protected(memory: Memory) -> bool:
    """Whether no agent may change the memory on its own word."""
    return memory.source is not Source.AGENT_TOOL or is_confirmed(memory)


def is_confirmed(memory: Memory) -> bool:
    """Whether the person pinned or confirmed the memory."""
    return memory.pinned or memory.confidence >= 1.0


def examine(candidate: Candidate, existing: Sequence[Memory], *, said_at: datetime) -> Finding | None:
    """The memory of the person's own that an agent's statement repeats or contradicts; None where it does neither."""
    candidate = _keyed(candidate)
    guarded = {memory.id: memory for memory in existing if _stands(memory, said_at)}
    open_ones = [_as_said_by_anybody(memory, said_at) for memory in guarded.values()]
    match merge.decide(candidate, open_ones, said_at=said_at):
        case Supersede(old_id=against) | Retract(old_id=against):
            return _against(guarded[against])
        case Reinforce(memory_id=again):
            return Finding("known", guarded[again])
        case _:
            pass
    if found := find_contradictions(candidate, open_ones):
        return _against(guarded[found[0].memory.id])
    opposite = next((memory for memory in open_ones if _speaks_otherwise(candidate, memory)), None)
    return None if opposite is None else _against(guarded[opposite.id])


def allows_ending(candidates: Sequence[Candidate], memory: Memory, *, said_at: datetime) -> bool:
    """Whether the person's own statements say that the memory no longer holds."""
    decided = merge.merge(candidates, [memory], said_at=said_at)
    return any(isinstance(one, Supersede | Retract) and one.old_id == memory.id for one in decided)


def stating(candidates: Sequence[Candidate], wanted: Sequence[Candidate]) -> list[Candidate]:
    """Of the person's own statements those that say what an agent says they do."""
    return [own for own in candidates if any(_same(own, _keyed(other)) for other in wanted)]


def _same(own: Candidate, other: Candidate) -> bool:
    if own.retracts != other.retracts:
        return False
    if own.key is not None and own.key == other.key:
        return normalize_words(own.value or "") == normalize_words(other.value or "")
    return says_the_same(own.text, other.text)


def _stands(memory: Memory, said_at: datetime) -> bool:
    """Whether the memory is the person's own and still holds; what is folded into another holds too."""
    held = replace(memory, status=Status.ACTIVE) if memory.status is Status.ARCHIVED else memory
    return is_protected(memory) and (is_current(held, said_at) or is_confirmed(memory))


def _as_said_by_anybody(memory: Memory, said_at: datetime) -> Memory:
    """The memory without what makes merging leave it alone, so that merging tells what the statement would do to it."""
    valid_from = min(memory.valid_from, said_at)
    return with_key(
        replace(
            memory,
            pinned=False,
            confidence=min(memory.confidence, MOST_CONFIDENCE),
            source=Source.AGENT_TOOL,
            status=Status.ACTIVE,
            valid_from=valid_from,
            expires_at=None,
        )
    )


def _against(memory: Memory) -> Finding:
    return Finding("confirmed" if is_confirmed(memory) or memory.source is Source.USER else "said_by_person", memory)


def _keyed(candidate: Candidate) -> Candidate:
    known = None if candidate.key is not None else key_of(candidate.text)
    return candidate if known is None else replace(candidate, key=known[0], value=known[1])


def _speaks_otherwise(candidate: Candidate, memory: Memory) -> bool:
    """Whether a statement that the rules cannot read speaks of the memory's own attribute, and says something else."""
    if candidate.key is not None and memory.key is not None:
        return _names_attribute(memory, candidate.value or "")
    if fuzz.ratio(normalize_words(candidate.text), normalize_words(memory.text)) >= _ALIKE:
        return True
    told = _content(memory.text)
    if len(told) >= _FEWEST_SHARED and told <= _content(candidate.text):
        return difference(candidate.text, memory.text) == "negation"
    return _names_attribute(memory, candidate.text)


def _names_attribute(memory: Memory, text: str) -> bool:
    """Whether all the words of what the memory is about stand in a text, as in "and their favorite food is pizza"."""
    attribute = _content(memory.text) - _content(memory.value or "") if memory.key is not None else set()
    return len(attribute) >= _FEWEST_SHARED and attribute <= _content(text)


def _content(text: str) -> set[str]:
    told = {_SPELLINGS.get(word, word) for word in words(text.replace("_", " "))}
    return {stem(word) for word in told - _NO_ATTRIBUTE}
