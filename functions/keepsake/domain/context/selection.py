"""Selects the memories for a message: what is always shown, then what is relevant, within the limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from keepsake.domain.context.answer_preferences import answer_slot, newest_preferences
from keepsake.domain.context.few_memories import can_weigh_together, select_of_few
from keepsake.domain.context.first_context_selection import Opening
from keepsake.domain.context.identity_line import identity_slot
from keepsake.domain.context.life_topics import is_restriction, is_taste, life_topic, must_not_be_missed
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.match_reason import MatchReason
from keepsake.domain.context.query import is_general_question, names_one_of
from keepsake.domain.context.query_expansion import STEMS_WITHOUT_SUBJECT, unasked_taste_stems
from keepsake.domain.context.scoring import (
    ScoredMemory,
    Strategy,
    answers_general_question,
    is_one_of_few,
    score,
    score_neighbors,
    select_relevant,
)
from keepsake.domain.context.topic_selection import MAX_BY_TOPIC, select_by_topic, topic_reason
from keepsake.domain.memory import Memory, MemoryType, Subtype
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic

MIN_CARD_IMPORTANCE = 2
"""A card shows memories of at least this importance, and pinned ones."""
MAX_CARD_FACTS = 3
"""Facts in one entity card."""
_ALWAYS_SHOWN_ORDER = attrgetter("pinned", "importance", "confidence", "valid_from", "memory_no")
_SELF = frozenset({"person:self", "person:user", "person:me"})


class SelectedMemory(NamedTuple):
    """A memory selected for the context, with its score and the reason, in words a person reads."""

    memory: Memory
    score: float
    why: str
    card: str | None = None
    """The entity whose card shows it; None where it has a line of its own."""
    is_requested: bool = False
    """Whether the message asked for it; being shown for another reason is no use of it."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What a context may hold, best first; ``identity`` are the memories behind the identity line.

    ``answer_preferences`` have a line of their own, and take no slot either.
    """

    chosen: tuple[SelectedMemory, ...] = ()
    identity: tuple[Memory, ...] = ()
    answer_preferences: tuple[Memory, ...] = ()


def select_memories(
    candidates: Sequence[ScoredMemory],
    *,
    message: str,
    now: datetime,
    limits: Limits,
    opening: Opening | None = None,
    shared: bool = False,
    strategy: Strategy = Strategy.FUSED,
    vector_unavailable_reason: str | None = None,
) -> Selection:
    """Select in order of rank: what is always shown, what is relevant, entity cards; then the opening.

    A doubted memory is only shown where it is relevant.

    ``shared`` means that others read the answer: feelings and medical or financial memories stay out.
    ``opening`` is for the first message of a conversation: who the person is, or what the message asks about.
    ``vector_unavailable_reason`` says why there are no vectors although they are on.
    """
    allowed = score_neighbors([c for c in candidates if not (shared and is_private(c.memory))])
    own_lines = [c.memory for c in allowed if c.memory.doubted_at is None and _has_own_line(c.memory)]
    numbers = {memory.memory_no for memory in own_lines}
    pool = [c for c in allowed if c.memory.memory_no not in numbers]
    scores = score(pool, message=message, now=now, strategy=strategy)
    ranked = sorted(pool, key=lambda c: (-scores[c.memory.memory_no], -c.memory.memory_no))
    weighed_together = strategy is Strategy.FUSED and can_weigh_together(ranked)
    relevant = ranked
    if strategy is not Strategy.PRIOR:
        concerned = _without_general_matches(_without_unasked_tastes(ranked, message), message)
        relevant = select_of_few(concerned, message) if weighed_together else select_relevant(concerned, scores)
    undoubted = [c for c in ranked if c.memory.doubted_at is None]
    by_topic = select_by_topic(undoubted, message) if strategy is Strategy.FUSED and not weighed_together else []
    slots = _SlotList(limits.memories, scores, requested={c.memory.memory_no for c in relevant})
    for c in _always_shown(undoubted, limits.always_shown):
        slots.fill(c, _always_shown_reason)
    introduction = opening(undoubted) if opening else iter(())
    for c, reason in islice(introduction, 1):  # the first is shown, whatever else the message asks for
        slots.fill(c, reason)
    matched = MatchReason(message, vector_unavailable_reason)
    for c in relevant:
        slots.fill(c, partial(_reason, matched, message if weighed_together else ""))
    for c in islice((c for c in by_topic if not slots.has(c)), MAX_BY_TOPIC):
        slots.fill(c, partial(topic_reason, message))
    cards = () if slots.is_full else _card_facts(undoubted, [chosen.memory for chosen in slots.filled])
    for c, entity in cards:
        slots.fill(c, partial(_card_reason, entity), card=entity)
    while not slots.is_full and (introduced := next(introduction, None)):
        slots.fill(*introduced)
    return Selection(tuple(slots.filled), tuple(filter(identity_slot, own_lines)), newest_preferences(own_lines))


def _reason(matched: MatchReason, topics_of: str, candidate: ScoredMemory) -> str:
    """The words in common, or else the topic that ``topics_of`` asks for, or else that the memory is similar."""
    return (candidate.lexical == 0 and topic_reason(topics_of, candidate)) or matched.why(candidate)


def _has_own_line(memory: Memory) -> bool:
    """Whether a memory is shown in the identity line or as an answer preference, so that it takes no slot."""
    return identity_slot(memory) is not None or answer_slot(memory) is not None


def _without_unasked_tastes(candidates: Sequence[ScoredMemory], message: str) -> list[ScoredMemory]:
    """The candidates with tastes that share only words such as "likes" with the message made irrelevant by words.

    So is of few memories what is no known preference and shares only such words, or words without a subject: a request
    for advice concerns few.
    """
    stems = unasked_taste_stems(message)
    stems_of_few = stems | STEMS_WITHOUT_SUBJECT

    def is_unasked(c: ScoredMemory) -> bool:
        if is_one_of_few(c):
            return stems_of_few.issuperset(c.matched)
        return stems.issuperset(c.matched) and is_taste(c.memory)

    return [c._replace(lexical=0.0) if c.matched and is_unasked(c) else c for c in candidates]


def _without_general_matches(candidates: Sequence[ScoredMemory], message: str) -> Sequence[ScoredMemory]:
    """The candidates without those that share only a word with a question about the world: it names none of them."""
    if not is_general_question(message) or any(c.named for c in candidates):
        return candidates
    if names_one_of(message, {stem for c in candidates for stem in c.matched}):
        return candidates
    return [c for c in candidates if answers_general_question(c)]


def is_private(memory: Memory) -> bool:
    """Whether a memory stays out of answers that others read."""
    feeling = memory.type is MemoryType.EMOTION or memory.subtype is Subtype.FEELING
    return feeling or is_sensitive_topic(memory.text)


def is_always_shown(memory: Memory) -> bool:
    """Whether every context contains the memory: it is pinned, or must not be missed."""
    return memory.pinned or must_not_be_missed(memory)


class _SlotList:
    """The slots of one context; a memory fills one slot, and only then its reason is computed."""

    def __init__(self, count: int, scores: Mapping[int, float], requested: AbstractSet[int]) -> None:
        self.filled: list[SelectedMemory] = []
        self._requested = requested
        self._left = count
        self._scores = scores
        self._seen: set[int] = set()

    @property
    def is_full(self) -> bool:
        """Whether no slot is left."""
        return self._left == 0

    def has(self, candidate: ScoredMemory) -> bool:
        """Whether a slot holds this memory."""
        return candidate.memory.memory_no in self._seen

    def fill(self, candidate: ScoredMemory, why: Callable[[ScoredMemory], str], *, card: str | None = None) -> None:
        memory = candidate.memory
        if self._left > 0 and memory.memory_no not in self._seen:
            self._left -= 1
            self._seen.add(memory.memory_no)
            is_requested = memory.memory_no in self._requested
            self.filled.append(
                SelectedMemory(memory, self._scores[memory.memory_no], why(candidate), card, is_requested)
            )


def _always_shown_reason(candidate: ScoredMemory) -> str:
    memory = candidate.memory
    if memory.pinned or is_restriction(memory):
        return "pinned" if memory.pinned else "must not be missed"
    topic = life_topic(memory)
    return f"who the person is: {topic}" if topic else "important"


def _always_shown(pool: Iterable[ScoredMemory], limit: int) -> list[ScoredMemory]:
    """The always shown memories in order, whatever the message; no pin takes the place of an allergy."""
    shown = sorted(
        (c for c in pool if is_always_shown(c.memory)), key=lambda c: _ALWAYS_SHOWN_ORDER(c.memory), reverse=True
    )
    foremost = {c.memory.memory_no for c in sorted(shown, key=lambda c: is_restriction(c.memory), reverse=True)[:limit]}
    return [c for c in shown if c.memory.memory_no in foremost]


def _card_facts(pool: Sequence[ScoredMemory], chosen: Sequence[Memory]) -> Iterator[tuple[ScoredMemory, str]]:
    """The facts of entity cards: first of entities that the message names, then of those in selected memories."""
    facts = sorted(
        (c for c in pool if c.memory.pinned or c.memory.importance >= MIN_CARD_IMPORTANCE),
        key=lambda c: (c.memory.pinned, c.memory.importance, c.memory.created_at, c.memory.memory_no),
        reverse=True,
    )
    seen = {memory.memory_no for memory in chosen}
    named = (ref for c in pool for ref in c.named)
    entities = dict.fromkeys([*named, *(ref for memory in chosen for ref in memory.entity_refs if ref not in _SELF)])
    for entity in entities:
        more_facts = (c for c in facts if entity in c.memory.entity_refs and c.memory.memory_no not in seen)
        for fact in list(islice(more_facts, MAX_CARD_FACTS)):
            seen.add(fact.memory.memory_no)
            yield fact, entity


def _card_reason(entity: str, _candidate: ScoredMemory) -> str:
    return f"about {entity.partition(':')[2].replace('_', ' ')}"
