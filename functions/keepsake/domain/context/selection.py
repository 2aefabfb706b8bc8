"""Selects the memories for a message: what is always shown, then what is relevant, within the limits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from operator import attrgetter
from uuid import UUID

from keepsake.domain.context.identity_line import identity_slot
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import ScoredMemory, Strategy, is_relevant, recency_days, score, score_neighbors
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic

MIN_CARD_IMPORTANCE = 2
"""A card shows memories of at least this importance, and pinned ones."""
MAX_CARD_FACTS = 3
"""Facts in one entity card."""
MIN_ALWAYS_SHOWN_IMPORTANCE = 2
"""A preference of at least this importance is always shown."""

_ALWAYS_SHOWN_ORDER = attrgetter("pinned", "importance", "confidence", "valid_from", "memory_no")
_WORD = re.compile(r"[^\W_]+")
_SELF = frozenset({"person:self", "person:user", "person:me"})


@dataclass(frozen=True, slots=True)
class SelectedMemory:
    """A memory selected for the context, with its score and the reason, in words a person reads."""

    memory: Memory
    score: float
    why: str
    card: str | None = None
    """The entity whose card shows it; None where it has a line of its own."""


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
    vector_unavailable_reason: str | None = None,
) -> Selection:
    """Select in order of rank: what is always shown, what is relevant, entity cards, and on a first message the rest.

    A doubted memory is only shown where it is relevant.

    ``shared`` means that others read the answer: feelings and medical or financial memories stay out.
    ``vector_unavailable_reason`` says why there are no vectors although they are on.
    """
    allowed = score_neighbors([c for c in candidates if not (shared and is_private(c.memory))])
    identity = tuple(c.memory for c in allowed if identity_slot(c.memory) and c.memory.doubted_at is None)
    pool = [c for c in allowed if c.memory.doubted_at is not None or not identity_slot(c.memory)]
    scores = score(pool, message=message, now=now, strategy=strategy)
    ranked = sorted(pool, key=lambda c: (-scores[c.memory.id], -c.memory.memory_no))
    slots = _SlotList(limits.memories, scores)
    undoubted = [c for c in ranked if c.memory.doubted_at is None]
    for c in islice(_always_shown(undoubted), limits.always_shown):
        slots.fill(c, lambda c: "pinned" if c.memory.pinned else "core preference")
    matched = _MatchReason(message, vector_unavailable_reason)
    for c in ranked:
        if not slots.is_full and (strategy is Strategy.PRIOR or is_relevant(c)):
            slots.fill(c, matched.why)
    cards = () if slots.is_full else _card_facts(undoubted, [chosen.memory for chosen in slots.filled])
    for c, entity in cards:
        slots.fill(c, partial(_card_reason, entity), card=entity)
    if first_message and not slots.is_full:
        for c in sorted(undoubted, key=lambda c: (-c.prior, -c.memory.memory_no)):
            slots.fill(c, lambda c: _first_message_reason(c.memory, now))
    return Selection(tuple(slots.filled), identity)


def is_private(memory: Memory) -> bool:
    """Whether a memory stays out of answers that others read."""
    feeling = memory.type is MemoryType.EMOTION or memory.subtype is Subtype.FEELING
    return feeling or is_sensitive_topic(memory.text)


def is_always_shown(memory: Memory) -> bool:
    """Whether every context contains the memory: it is pinned, or an important preference."""
    return memory.pinned or (memory.subtype is Subtype.PREFERENCE and memory.importance >= MIN_ALWAYS_SHOWN_IMPORTANCE)


class _SlotList:
    """The slots of one context; a memory fills one slot, and only then its reason is computed."""

    def __init__(self, count: int, scores: Mapping[UUID, float]) -> None:
        self.filled: list[SelectedMemory] = []
        self._left = count
        self._scores = scores
        self._seen: set[int] = set()

    @property
    def is_full(self) -> bool:
        """Whether no slot is left."""
        return self._left == 0

    def fill(self, candidate: ScoredMemory, why: Callable[[ScoredMemory], str], *, card: str | None = None) -> None:
        memory = candidate.memory
        if self._left > 0 and memory.memory_no not in self._seen:
            self._left -= 1
            self._seen.add(memory.memory_no)
            self.filled.append(SelectedMemory(memory, self._scores[memory.id], why(candidate), card))


def _always_shown(pool: Iterable[ScoredMemory]) -> list[ScoredMemory]:
    """The always shown memories in order, which ignores how often they were used: being shown counts as use."""
    pinned_or_preferred = (c for c in pool if is_always_shown(c.memory))
    return sorted(pinned_or_preferred, key=lambda c: _ALWAYS_SHOWN_ORDER(c.memory), reverse=True)


def _card_facts(pool: Sequence[ScoredMemory], chosen: Sequence[Memory]) -> Iterator[tuple[ScoredMemory, str]]:
    """The facts of entity cards: first of entities that the message names, then of those in selected memories."""
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
    """Explains what a memory has in common with the message."""

    def __init__(self, message: str, vector_unavailable_reason: str | None) -> None:
        self._message_words = list(dict.fromkeys(_WORD.findall(message.lower())))
        self._related = expand_query(message).split()
        self._word_by_stem: dict[str, tuple[str, bool]] = {}
        self._suffix = f" (words only: {vector_unavailable_reason})" if vector_unavailable_reason else ""

    def why(self, candidate: ScoredMemory) -> str:
        """The shared words, heaviest first, and apart from them those that come from query expansion."""
        if not candidate.matched:
            return "close in meaning" if candidate.similarity is not None else "highest score"
        shared_words = [self._word_of_stem(lexeme) for lexeme in candidate.matched]
        parts = []
        for title, related in (("mentions", False), ("related", True)):
            if words := list(dict.fromkeys(word for word, is_related in shared_words if is_related is related))[:3]:
                parts.append(f"{title}: {', '.join(words)}")
        if candidate.neighbor_score > candidate.lexical:
            parts.append("noted next to what mentions more")
        return "; ".join(parts) + self._suffix

    def _word_of_stem(self, lexeme: str) -> tuple[str, bool]:
        """The word of a stem (``famili`` is shown as ``family``), and whether it comes from query expansion."""
        if lexeme not in self._word_by_stem:
            in_message = _closest_word(lexeme, self._message_words)
            related = None if in_message else _closest_word(lexeme, self._related)
            self._word_by_stem[lexeme] = (in_message or related or lexeme, related is not None)
        return self._word_by_stem[lexeme]


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
