"""People who chat without a database: what is remembered of what they say is kept in a list, and no context is read.

This takes seconds where a database takes minutes, to compare two ways to read messages. Words alone decide which parts
of a life have changed, as without an embedding model.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from bench.chat.measures import PARTS as PARTS_WITH_CONTEXTS
from bench.chat.measures import ends_of_dialogues
from bench.junk.person import Person
from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.lifecycle.lifetimes import is_current
from keepsake.domain.memory import MAX_PER_TURN, Memory, MemoryType, Source
from keepsake.domain.merging import merge
from keepsake.domain.merging.changes.find_changes import after_statements, find_changes
from keepsake.domain.merging.decisions import Decision, Doubt
from keepsake.domain.merging.limit_new_memories import limit_new_memories, max_compared
from keepsake.domain.reading import Reading, read
from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.text import truncate_at_sentence
from keepsake.usecases.extraction.proposals import by_rules

PARTS = {name: PARTS_WITH_CONTEXTS[name][0] for name in ("turns", "supersede_probes", "date_probes")}
PARTS["dialogues"] = ends_of_dialogues
"""The parts of a set that need no context."""
_START, _BETWEEN = datetime(2026, 11, 21, 12, tzinfo=UTC), timedelta(minutes=5)


class Listener:
    """A new person, whose messages are read, screened, merged and compared with what is remembered."""

    def __init__(self) -> None:
        self._person = _Doubting(by_rules)
        self._said: list[PreviousMessage] = []

    def open_chat(self) -> UUID:
        """The one conversation that there is."""
        return UUID(int=0)

    def answer(self, _chat: UUID, text: str) -> None:
        """Note a message of the assistant."""
        self._said.append(PreviousMessage("assistant", text))

    async def say(self, _chat: UUID, text: str) -> None:
        """Read a message, five minutes after the one before."""
        at, message = _START + len(self._said) * _BETWEEN, truncate_at_sentence(text)[0]
        recent = tuple(reversed(self._person.active))
        previous = tuple(reversed(self._said))
        self._said.append(PreviousMessage("user", text))
        for decision in _decide(read(message, said_at=at, recent=recent, previous=previous), message, recent, at):
            self._person.apply(decision, at)

    def memories(self, *, active: bool = True) -> list[str]:
        """The texts that hold now and are not in doubt, or all that were ever stored."""
        if not active:
            return [memory.text for memory in self._person.memories]
        return [memory.text for memory in self._person.active if memory.doubted_at is None]


class _Doubting(Person):
    """A person with a store in memory, in which memories may be in doubt."""

    def apply(self, decision: Decision, at: datetime) -> None:
        if isinstance(decision, Doubt):
            self._change(decision.memory_id, doubted_at=at)
        else:
            self._apply(decision, at, Source.RULE_EXTRACTION)


def _decide(reading: Reading, message: str, recent: tuple[Memory, ...], at: datetime) -> list[Decision]:
    known = [memory for memory in recent if is_current(memory, at)]
    changes = find_changes(reading.changes, known, said_at=at)
    proposed = [*reading.candidates, *changes.candidates]
    screened = screen_candidates(
        proposed, allowed_types=frozenset(MemoryType), message=message, limit=max_compared(MAX_PER_TURN)
    ).accepted
    decisions = merge.merge([resolve_relative_date(one, at) for one in screened], known, said_at=at)
    return after_statements(limit_new_memories(decisions, MAX_PER_TURN), changes)
