"""Proposals: the candidates of one message, made by rules or by a model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from keepsake.domain.extraction.persona_scope import is_private_to_persona
from keepsake.domain.memory import Candidate, Memory, Source
from keepsake.domain.reading import Reading, read
from keepsake.domain.reading.changes import ChangeStatement
from keepsake.domain.reading.message import PreviousMessage
from keepsake.domain.reading.todos import TodoStatement
from keepsake.infra.readers import Readers

GeneratorName = Literal["rules", "llm"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The candidates of one message, and their generator.

    ``no_result_reason`` says why there are none, where that is known; ``dropped`` counts rejected statements by reason.
    """

    generator: GeneratorName
    source: Source
    candidates: Sequence[Candidate]
    no_result_reason: str | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)
    changes: Sequence[ChangeStatement] = ()
    """What the message says about changes of stored memories."""
    todos: Sequence[TodoStatement] = ()
    """What the message says about to-dos."""
    forget: Sequence[UUID] = ()
    """The memories that the message asks to forget."""
    persona_id: str | None = None
    """The only persona that the message was meant for; None is all."""
    model: str = ""
    """The model that read the message, with the version of its prompt; empty where the rules did."""


@dataclass(frozen=True, slots=True)
class DeadlineMissed:
    """The message could not be read before the deadline."""


ReadingOutcome = Proposal | DeadlineMissed
"""What came of reading a message."""


@dataclass(frozen=True, slots=True)
class MessageToRead:
    """A message from which memories are to be made, with what helps to understand it."""

    text: str
    said_at: datetime
    recent: Sequence[Memory] = ()
    """The memories that this conversation made before, newest first."""
    previous: Sequence[PreviousMessage] = ()
    """The messages before it, newest first."""

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of ``read``."""
        return {"text": self.text, "said_at": self.said_at, "recent": self.recent, "previous": self.previous}


Generator = Callable[[MessageToRead], Awaitable[Proposal]]
"""Proposes memories for a message; no database connection is open meanwhile."""


async def by_rules(message: MessageToRead) -> Proposal:
    """Propose what the rules find, without a deadline."""
    return proposal_of_rules(read(**message.arguments))


async def by_rules_in_time(readers: Readers, messages: Sequence[MessageToRead]) -> list[Proposal]:
    """Propose what the rules find in each; DeadlineExceeded where all together exceed the deadline of one."""
    calls = [message.arguments for message in messages]
    return [proposal_of_rules(reading) for reading in await readers.run_each(read, calls)]


def proposal_of_rules(reading: Reading) -> Proposal:
    """The proposal of a reading by the rules."""
    return Proposal(
        "rules",
        Source.RULE_EXTRACTION,
        reading.candidates,
        reading.no_result_reason,
        changes=reading.changes,
        todos=reading.todos,
    )


def limit_to_persona(proposal: Proposal, text: str, persona_id: str | None) -> Proposal:
    """The proposal, limited to this persona where the message was meant for it alone."""
    if persona_id is None or not is_private_to_persona(text):
        return proposal
    candidates = [replace(one, persona_id=persona_id) for one in proposal.candidates]
    return replace(proposal, candidates=candidates, persona_id=persona_id)
