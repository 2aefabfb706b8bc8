"""A person with a store in memory: what they say is read, screened and merged as in the product, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.lifecycle import lifetimes
from keepsake.domain.memory import Candidate, Memory, Source, Status
from keepsake.domain.merging import merge
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.reading.message.previous_messages import PreviousMessage
from keepsake.domain.screening import screen
from keepsake.domain.text import truncate_at_sentence
from keepsake.usecases.extraction.proposals import Generator, MessageToRead


@dataclass(frozen=True, slots=True)
class Said(MessageToRead):
    """A statement, with what the assistant had said before it and what that had been given of the memory."""

    assistant: str | None = None
    injected: Sequence[str] = ()


class Person:
    """Someone who talks, and what is remembered of it."""

    def __init__(self, generate: Generator) -> None:
        self._generate = generate
        self.memories: list[Memory] = []
        """Every memory ever made, also those closed since."""

    @property
    def active(self) -> list[Memory]:
        """What is remembered now."""
        return [memory for memory in self.memories if memory.status is Status.ACTIVE]

    @property
    def closed(self) -> list[Memory]:
        """What was superseded or taken back."""
        return [memory for memory in self.memories if memory.status is not Status.ACTIVE]

    async def says(self, text: str, at: datetime, *, after: str | None = None) -> None:
        """Hear one message, said ``after`` an answer that was given the memory: propose, screen, merge, apply."""
        read, _ = truncate_at_sentence(text)
        injected = [memory.text for memory in self.active] if after else []
        previous = (PreviousMessage("assistant", after),) if after else ()
        proposal = await self._generate(Said(read, at, tuple(reversed(self.active)), previous, after, injected))
        verdicts = [screen.screen(candidate, message=text) for candidate in proposal.candidates]
        kept = [verdict for verdict in verdicts if isinstance(verdict, Candidate)]
        known = [memory for memory in self.active if lifetimes.is_current(memory, at)]
        dated = [resolve_relative_date(candidate, at) for candidate in top_candidates(kept)]
        for decision in merge.merge(dated, known, said_at=at):
            self._apply(decision, at, proposal.source)

    def _apply(self, decision: Decision, at: datetime, source: Source) -> None:
        match decision:
            case Insert(candidate=candidate, expired_id=expired_id):
                if expired_id is not None:
                    self._change(expired_id, status=Status.EXPIRED)
                self._insert(candidate, at, source)
            case Supersede(old_id=old_id, candidate=candidate):
                self._close(old_id)
                self._insert(candidate, at, source)
            case Retract(old_id=old_id, candidate=successor):
                self._close(old_id)
                if successor is not None:
                    self._insert(successor, at, source)
            case Reinforce(memory_id=memory_id):
                self._change(memory_id, reference_count=decision.reference_count, importance=decision.importance)
            case Drop():
                pass

    def _insert(self, candidate: Candidate, at: datetime, source: Source) -> None:
        number = len(self.memories) + 1
        memory = Memory(
            id=UUID(int=number),
            memory_no=number,
            type=candidate.type,
            subtype=candidate.subtype,
            text=candidate.text,
            confidence=candidate.confidence,
            importance=candidate.importance,
            pinned=False,
            source=source,
            status=Status.ACTIVE,
            reference_count=0,
            created_at=at,
            valid_from=at,
            key=candidate.key,
            value=candidate.value,
            entity_refs=candidate.entity_refs,
            entity_label=candidate.entity_label,
            language=candidate.language,
            expires_at=lifetimes.expires_at(candidate, said_at=at, source=source),
        )
        self.memories.append(memory)

    def _close(self, memory_id: UUID) -> None:
        self._change(memory_id, status=Status.SUPERSEDED)

    def _change(self, memory_id: UUID, **values: Any) -> None:
        self.memories = [m._replace(**values) if m.id == memory_id else m for m in self.memories]


def shown(memories: Sequence[Memory]) -> str:
    """Memories as a list of errors shows them."""
    return "; ".join(f"{memory.text} ({memory.type.value}, {memory.status.value})" for memory in memories) or "nothing"
