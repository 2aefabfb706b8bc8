"""Which memories a message gets: what always belongs there, then what the message asks for, within the limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from uuid import UUID

from keepsake.domain.context.identity_line import identity_slot
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import (
    DEFAULT_WEIGHTS,
    ScoredMemory,
    Strategy,
    Weights,
    is_relevant,
    recency_days,
    score,
    with_neighbor_scores,
)
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic

MIN_CARD_IMPORTANCE = 2
"""A card shows memories of at least this importance, and pinned ones."""
MAX_CARD_FACTS = 3
"""Facts in one entity card."""
MIN_ALWAYS_SHOWN_IMPORTANCE = 2
"""A preference of at least this importance is a core preference."""

_WORD = re.compile(r"[^\W_]+")
_SELF = frozenset({"person:self", "person:user", "person:me"})


@dataclass(frozen=True, slots=True)
class SelectedMemory:
    """A memory chosen for the context, with the score it was ranked by and why, in words a person reads."""

    memory: Memory
    score: float
    why: str
    card: str | None = None
    """The entity whose card shows it; None where it stands by itself."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a context may hold, best first; ``identity`` are the memories behind the identity line."""

    chosen: tuple[SelectedMemory, ...] = ()
    identity: tuple[Memory, ...] = ()


def select_memories(
    candidates: Sequence[ScoredMemory],
    *,
    message: str,
    now: datetime,
    limits: Limits,
    first_message: bool = False,
    shared: bool = False,
    strategy: Strategy = Strategy.FUSED,
    weights: Weights = DEFAULT_WEIGHTS,
    vector_unavailable_reason: str | None = None,
) -> Selection:
    """Choose, in order of rank: tier 1, what the message makes relevant, entity cards, and on a first message the rest.

    ``shared`` means that others read the answer: feelings and medical or financial memories stay out.
    ``words_only`` says why there are no vectors although they are on.
    """
    allowed = with_neighbor_scores([c for c in candidates if not (shared and is_private(c.memory))], weights)
    identity = tuple(c.memory for c in allowed if identity_slot(c.memory))
    pool = [c for c in allowed if not identity_slot(c.memory)]
    scores = score(pool, message=message, now=now, strategy=strategy, weights=weights)
    ranked = sorted(pool, key=lambda c: (-scores[c.memory.id], -c.memory.memory_no))
    slots = _SlotList(limits.memories, scores)
    for c in islice(_always_shown(pool), limits.always_shown):
        slots.fill(c, lambda c: "pinned" if c.memory.pinned else "core preference")
    matched = _MatchReason(message, vector_unavailable_reason)
    for c in ranked:
        if not slots.is_full and (strategy is Strategy.PRIOR or is_relevant(c, weights)):
            slots.fill(c, matched.why)
    cards = () if slots.is_full else _card_facts(ranked, [chosen.memory for chosen in slots.filled])
    for c, entity in cards:
        slots.fill(c, partial(_card_reason, entity), card=entity)
    if first_message and not slots.is_full:
        for c in sorted(pool, key=lambda c: (-c.prior, -c.memory.memory_no)):
            slots.fill(c, lambda c: _first_message_reason(c.memory, now))
    return Selection(tuple(slots.filled), identity)


def is_private(memory: Memory) -> bool:
    """Whether a memory stays out of answers that others read."""
    feeling = memory.type is MemoryType.EMOTION or memory.subtype is Subtype.FEELING
    return feeling or is_sensitive_topic(memory.text)


def is_always_shown(memory: Memory) -> bool:
    """Whether a memory belongs to tier 1: pinned, or a preference of some importance."""
    return memory.pinned or (memory.subtype is Subtype.PREFERENCE and memory.importance >= MIN_ALWAYS_SHOWN_IMPORTANCE)


class _SlotList:
    """The places of one context; a memory takes one once, and only then is it said why."""

    def __init__(self, count: int, scores: Mapping[UUID, float]) -> None:
        self.filled: list[SelectedMemory] = []
        self._left = count
        self._scores = scores
        self._seen: set[int] = set()

    @property
    def is_full(self) -> bool:
        """Whether there is none left."""
        return self._left == 0

    def fill(self, candidate: ScoredMemory, why: Callable[[ScoredMemory], str], *, card: str | None = None) -> None:
        memory = candidate.memory
        if self._left > 0 and memory.memory_no not in self._seen:
            self._left -= 1
            self._seen.add(memory.memory_no)
            self.filled.append(SelectedMemory(memory, self._scores[memory.id], why(candidate), card))


def _always_shown(pool: Iterable[ScoredMemory]) -> list[ScoredMemory]:
    """Tier 1 in its order: it does not depend on use, so that what is always shown is not shown for being shown."""
    return sorted(
        (c for c in pool if is_always_shown(c.memory)),
        key=lambda c: (
            c.memory.pinned,
            c.memory.importance,
            c.memory.confidence,
            c.memory.valid_from,
            c.memory.memory_no,
        ),
        reverse=True,
    )


def _card_facts(pool: Sequence[ScoredMemory], chosen: Sequence[Memory]) -> Iterator[tuple[ScoredMemory, str]]:
    """The facts of the cards that the message opens by name, then the chosen memories: card by card, three each."""
    facts = sorted(
        (c for c in pool if c.memory.pinned or c.memory.importance >= MIN_CARD_IMPORTANCE),
        key=lambda c: (c.memory.pinned, c.memory.importance, c.memory.created_at, c.memory.memory_no),
        reverse=True,
    )
    seen = {memory.id for memory in chosen}
    named = (ref for c in pool for ref in c.named)
    entities = dict.fromkeys([*named, *(ref for memory in chosen for ref in memory.entity_refs if ref not in _SELF)])
    for entity in entities:
        more_facts = (c for c in facts if entity in c.memory.entity_refs and c.memory.id not in seen)
        for fact in list(islice(more_facts, MAX_CARD_FACTS)):
            seen.add(fact.memory.id)
            yield fact, entity


class _MatchReason:
    """Says what of a message a memory shares."""

    def __init__(self, message: str, vector_unavailable_reason: str | None) -> None:
        self._message_words = list(dict.fromkeys(_WORD.findall(message.lower())))
        self._related = expand_query(message).split()
        self._query_words: dict[str, tuple[str, bool]] = {}
        self._suffix = f" (words only: {vector_unavailable_reason})" if vector_unavailable_reason else ""

    def why(self, candidate: ScoredMemory) -> str:
        """The words it shares, heaviest first; those that only answer the message's own stand apart."""
        if not candidate.matched:
            return "close in meaning" if candidate.similarity is not None else "highest score"
        asked = [self._word_of_stem(lexeme) for lexeme in candidate.matched]
        parts = []
        for title, related in (("mentions", False), ("related", True)):
            if words := list(dict.fromkeys(word for word, is_related in asked if is_related is related))[:3]:
                parts.append(f"{title}: {', '.join(words)}")
        if candidate.neighbor_score > candidate.lexical:
            parts.append("noted next to what mentions more")
        return "; ".join(parts) + self._suffix

    def _word_of_stem(self, lexeme: str) -> tuple[str, bool]:
        """A stem as the word it came from (``famili`` is shown as ``family``), and whether that is a related one."""
        if lexeme not in self._query_words:
            in_message = _closest_word(lexeme, self._message_words)
            related = None if in_message else _closest_word(lexeme, self._related)
            self._query_words[lexeme] = (in_message or related or lexeme, related is not None)
        return self._query_words[lexeme]


def _closest_word(lexeme: str, words: Sequence[str]) -> str | None:
    """The word that shares the longest beginning with the stem, if it is most of the stem."""
    alike = (word for word in words if word[0] == lexeme[0])
    best = max(alike, key=lambda word: (_common_prefix_length(lexeme, word), -len(word)), default="")
    return best if _common_prefix_length(lexeme, best) >= max(1, len(lexeme) - 2) else None


def _common_prefix_length(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _card_reason(entity: str, _candidate: ScoredMemory) -> str:
    return f"about {entity.partition(':')[2].replace('_', ' ')}"


def _first_message_reason(memory: Memory, now: datetime) -> str:
    if recency_days(memory, now) <= 30:
        return f"recent {memory.type}"
    return f"often used {memory.type}" if memory.reference_count >= 3 else f"known {memory.type}"
