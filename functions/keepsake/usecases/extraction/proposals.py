"""What may propose memories for a turn: rules, or whoever reads a statement in the same shape."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from keepsake.domain.extraction import rules
from keepsake.domain.extraction.persona_scope import is_private_to_persona
from keepsake.domain.memory import Candidate, Memory, Source
from keepsake.infra.readers import Readers

GeneratorName = Literal["rules", "llm"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The candidates of one turn, and who found them.

    ``silence`` says why there are none, where that is known; ``dropped`` what was not even a candidate, by reason.
    """

    generator: GeneratorName
    source: Source
    candidates: Sequence[Candidate]
    silence: str | None = None
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Overdue:
    """The statement could not be read in the time there is for one."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a person said, when, and what they were remembered for in this conversation, newest first."""

    text: str
    said_at: datetime
    recent: Sequence[Memory] = ()


Generator = Callable[[Statement], Awaitable[Proposal]]
"""Reads a statement and proposes; no database connection is held meanwhile, and it may take its deadline."""


async def by_rules(said: Statement) -> Proposal:
    """Propose what the rules find, here and now."""
    return _proposal(rules.read_message(said.text, said_at=said.said_at, recent=said.recent))


async def by_rules_in_time(readers: Readers, said: Statement) -> Proposal:
    """Propose what the rules find before the deadline; DeadlineExceeded where it passes."""
    return _proposal(await readers.run(rules.read_message, said.text, said_at=said.said_at, recent=said.recent))


def _proposal(reading: rules.Reading) -> Proposal:
    return Proposal("rules", Source.RULE_EXTRACTION, reading.candidates, reading.silence)


def for_whose_ears(proposal: Proposal, said: str, persona_id: str | None) -> Proposal:
    """The proposal, for this persona alone where the message was said between the two of them."""
    if persona_id is None or not is_private_to_persona(said):
        return proposal
    return replace(proposal, candidates=[replace(one, persona_id=persona_id) for one in proposal.candidates])
