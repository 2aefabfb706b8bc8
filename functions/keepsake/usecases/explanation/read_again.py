"""Reads a message again as an extraction would, and notes the way of each statement; nothing of it is stored.

The changes are made in a transaction that is rolled back, so that what is decided is decided as it would be today.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, NoReturn, cast
from uuid import UUID

from keepsake.domain.consent.guard import guard_extraction
from keepsake.domain.consent.turn_context import Consent, TurnContext
from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Candidate, MemoryType
from keepsake.domain.merging.decisions import Decision
from keepsake.domain.merging.merge import merge
from keepsake.domain.screening.screen import Dropped, screen
from keepsake.domain.text import truncate_at_sentence
from keepsake.infra.database import Connection
from keepsake.infra.resources import Resources
from keepsake.store import memories
from keepsake.store.operations import MemoryWriter
from keepsake.store.row_keys import TurnKey
from keepsake.store.turns import PromptContext
from keepsake.usecases.extraction.ask_model import Attempt, ask_model, ask_rules
from keepsake.usecases.extraction.merge_proposal import merge_proposal
from keepsake.usecases.extraction.model_request import ModelRequest, make_request
from keepsake.usecases.extraction.proposals import MessageToRead, Proposal, limit_to_persona
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.models.recording_model import Exchange, RecordingModel
from keepsake.usecases.models.verdicts import read_verdict
from keepsake.usecases.turns.claimed_turn import read_turn

if TYPE_CHECKING:
    from keepsake.infra.models.chat import LanguageModel

_NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A statement that was found, and the reason why screening drops it; None where it passes."""

    candidate: Candidate
    dropped: str | None


@dataclass(frozen=True, slots=True)
class ReadAgain:
    """What reading a message again gave."""

    guard: str | None = None
    """The reason of the consent guard, where it forbids to read the message."""
    reader: str = ""
    exchanges: Sequence[Exchange] = ()
    failure: str | None = None
    """Why there is no result, or why the model gave none."""
    statements: Sequence[FoundStatement] = ()
    decisions: Sequence[Decision] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


class _RolledBack(Exception):
    """Ends the transaction in which nothing may be stored."""


def _roll_back() -> NoReturn:
    raise _RolledBack


async def read_message_again(resources: Resources, key: TurnKey) -> ReadAgain:
    """Read a saved message again, with what is remembered of its author today."""
    now = await resources.synchronized_now()
    async with resources.database.as_service() as conn:
        turn = await read_turn(resources, conn, key, now)
        reason = guard_extraction(turn)
        recent = await memories.recent(conn, turn)
        request = await _request(resources, conn, turn, now)
    if reason is not None:
        return ReadAgain(guard=reason.value)
    text, _ = truncate_at_sentence(turn.text)
    message = MessageToRead(text, turn.said_at, recent, turn.previous)
    read, proposal = await _read(resources, turn, request, message)
    if proposal is None:
        return read
    try:
        async with resources.database.as_service() as conn:
            writer = MemoryWriter.of_turn(
                conn, turn, source=proposal.source, actor=proposal.generator, now=resources.clock.now()
            )
            limit = resources.settings.memories_per_message
            limited = limit_to_persona(proposal, turn.text, turn.persona_id)
            merged = await merge_proposal(writer, limited, turn.text, limit=limit)
            _roll_back()
    except _RolledBack:
        return replace(read, decisions=merged.decisions, dropped=merged.dropped)


async def read_text(resources: Resources, text: str) -> ReadAgain:
    """Read a text as a message of a person of whom nothing is known; no database is needed."""
    turn = _turn_of_nobody(text, resources.clock.now())
    message = MessageToRead(truncate_at_sentence(text)[0], turn.said_at)
    request = None
    if (slot := _slot(resources)) is not None:
        verdict = Verdict(resources.settings.openai_extraction_verdict or Verdict.USABLE)
        request = ModelRequest(slot, turn, PromptContext(), verdict=verdict)
    read, proposal = await _read(resources, turn, request, message)
    if proposal is None:
        return read
    screened = screen_candidates(proposal.candidates, allowed_types=turn.consent.allowed_types, message=text)
    dropped = screened.dropped + type(screened.dropped)(proposal.dropped)
    if proposal.no_result_reason:
        dropped[proposal.no_result_reason] += 1
    dated = [with_period(resolve_relative_date(one, turn.said_at)) for one in screened.accepted]
    return replace(read, decisions=merge(dated, [], said_at=turn.said_at), dropped=dropped)


def _slot(resources: Resources) -> ModelSlot | None:
    """The call of the model, which no limit counts; None where there is no model."""
    model = resources.settings.openai_extraction_model
    return None if model is None or resources.model is None else ModelSlot.uncounted(resources, model)


async def _request(resources: Resources, conn: Connection, turn: TurnContext, now: datetime) -> ModelRequest | None:
    """The request that an extraction would send to the model today; None where the rules would read the turn."""
    slot = _slot(resources)
    if slot is None or (verdict := await read_verdict(resources, conn, slot.circuit)) is Verdict.RULES:
        return None
    return await make_request(conn, slot, turn, verdict or Verdict.USABLE, now=now)


async def _read(
    resources: Resources, turn: TurnContext, request: ModelRequest | None, message: MessageToRead
) -> tuple[ReadAgain, Proposal | None]:
    """What the model or the rules propose, and how each statement fares in screening."""
    await resources.prepare_reading()
    recorder = None
    if request is None or request.verdict is Verdict.RULES or resources.model is None:
        attempt = Attempt(await ask_rules(resources, message))
    else:
        recorder = RecordingModel(resources.model)
        attempt = await ask_model(replace(resources, model=cast("LanguageModel", recorder)), request, message)
    exchanges = tuple(recorder.exchanges) if recorder else ()
    failure = f"{attempt.failure.kind}, {attempt.failure.why}" if attempt.failure else None
    outcome = attempt.outcome
    if not isinstance(outcome, Proposal):
        return ReadAgain(exchanges=exchanges, failure=failure or "it could not be read in time"), None
    found = [_screened(candidate, message.text, turn) for candidate in outcome.candidates]
    reader = outcome.model or "the rules"
    return ReadAgain(reader=reader, exchanges=exchanges, failure=failure, statements=found), outcome


def _screened(candidate: Candidate, text: str, turn: TurnContext) -> FoundStatement:
    verdict = screen(candidate, message=text)
    if isinstance(verdict, Dropped):
        return FoundStatement(candidate, verdict.reason)
    is_allowed = candidate.type in turn.consent.allowed_types
    return FoundStatement(candidate, None if is_allowed else "type_not_allowed")


def _turn_of_nobody(text: str, now: datetime) -> TurnContext:
    consent = Consent(
        profile_owner=_NOBODY,
        is_primary=True,
        memory_enabled=True,
        remember_since=None,
        building=True,
        enabled=True,
        erased_before=None,
        allowed_types=frozenset(MemoryType),
    )
    return TurnContext(
        author=_NOBODY,
        profile_id=_NOBODY,
        conversation_id=_NOBODY,
        mode="chat",
        persona_id=None,
        message_id=None,
        turn_index=None,
        role="user",
        text=text,
        said_at=now,
        timezone=None,
        consent=consent,
    )
