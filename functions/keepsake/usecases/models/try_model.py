"""Tries a model with the fixed turns of the trial, as extraction asks it, and stores nothing of what it says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from keepsake.domain.extraction import prompt
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.judge_model import Statement, TrialResult
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.prompt import PromptTurn
from keepsake.domain.extraction.reply_schema import parse_members, schema_of
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.extraction.trial_turns import SAID_AT, TrialTurn
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Candidate, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.replies.read_object import ReplyText
from keepsake.infra.models.chat_reply_parser import DEADLINE, ModelUnavailable, Refusal, Reply
from keepsake.infra.resources import Resources
from keepsake.usecases.models.ask_with_correction import ask_with_correction
from keepsake.usecases.models.call import Message, ModelCaller
from keepsake.usecases.models.recording_model import RecordingModel

if TYPE_CHECKING:
    from keepsake.infra.models.chat import LanguageModel

ABOUT_MODEL = ("bad_reply", "refused_request")
"""Failures that say something of the model; others say that it is away."""
_PAUSES = (1.0, 10.0, 30.0)
"""Seconds until a busy endpoint is asked again, where it names none."""
_MAX_PAUSE = 60.0
_LATE_BEFORE_ANY = 3
"""Turns without an answer in time after which a model that has not answered yet is too slow to be tried."""


async def try_model(resources: Resources, model: str, turns: Sequence[TrialTurn]) -> AsyncIterator[TrialResult]:
    """What the model makes of each turn; raises ModelUnavailable where it does not answer.

    A turn for which it takes too long it has not read; where it is busy, it is asked again after a pause.
    """
    results: list[TrialResult] = []
    for turn in turns:
        results.append(await _try_patiently(resources, model, turn))
        if is_too_slow(results):
            raise ModelUnavailable("busy", DEADLINE, sent=True)
        yield results[-1]


def is_too_slow(results: Sequence[TrialResult]) -> bool:
    """Whether a model is too slow to be tried: it was late from the beginning."""
    return len(results) == _LATE_BEFORE_ANY and all(result.is_late for result in results)


async def _try_patiently(resources: Resources, model: str, turn: TrialTurn) -> TrialResult:
    for pause in _PAUSES:
        try:
            return await try_turn(resources, model, turn)
        except ModelUnavailable as failure:
            if failure.kind != "busy":
                raise
            await asyncio.sleep(min(failure.retry_after or pause, _MAX_PAUSE))
    return await try_turn(resources, model, turn)


async def try_turn(resources: Resources, model: str, turn: TrialTurn, *, probes_first: bool = False) -> TrialResult:
    """What the model makes of one turn; raises ModelUnavailable where it does not answer."""
    recorder = None if resources.model is None else RecordingModel(resources.model)
    recording = replace(resources, model=cast("LanguageModel | None", recorder))
    caller = ModelCaller(recording, model, probes_first=probes_first)
    deadline = asyncio.get_running_loop().time() + resources.settings.model_deadline_seconds
    shown = PromptTurn(turn.message, SAID_AT, assistant=turn.assistant, known=[memory.text for memory in turn.known])

    async def ask(more: Sequence[Message]) -> Reply:
        def build_messages(*, schema_in_prompt: bool) -> list[Message]:
            return [*prompt.build_messages(shown, schema_in_prompt=schema_in_prompt), *more]

        return await caller.ask(build_messages, schema_of(), deadline=deadline)

    async def read(reply: ReplyText) -> TrialResult:
        return read_trial_reply(reply, turn)

    began, is_late = time.perf_counter(), False
    result = TrialResult(turn, is_read=False)
    try:
        reply = await ask_with_correction(ask, read, prompt, caller)
        result = result if isinstance(reply, Refusal) else reply
    except ModelUnavailable as failure:
        is_late = failure.why == DEADLINE
        if failure.kind not in ABOUT_MODEL and not is_late:
            raise
    cost, exchanges = caller.cost, recorder.exchanges if recorder else []
    return replace(
        result,
        calls=cost.calls,
        tokens=(cost.input, cost.output),
        seconds=time.perf_counter() - began,
        is_late=is_late,
        replies=[(exchange.reply, exchange.is_truncated) for exchange in exchanges],
    )


def read_trial_reply(reply: ReplyText, turn: TrialTurn) -> TrialResult:
    """What a reply proposes for a turn, and what would be stored of it; InvalidReply where it cannot be read."""
    members = parse_members(reply)
    proposed = [
        Statement(
            f"{member.text} {member.value}", member.about, member.relation, next(iter(member.shown_numbers), None)
        )
        for member in members.memories
    ]
    kept, believed = (_stored(reply, turn, verdict) for verdict in (Verdict.USABLE, Verdict.GOOD))
    return TrialResult(turn, proposed, kept, believed, repairs=members.repairs)


def _stored(reply: ReplyText, turn: TrialTurn, verdict: Verdict) -> list[Statement]:
    """What the check of replies and screening leave, where the model has this verdict."""
    sources = GroundingSources(turn.message, turn.assistant, known=turn.known, said_on=SAID_AT.date(), verdict=verdict)
    parsed = read_reply(reply, sources)
    screened = screen_candidates(parsed.candidates, allowed_types=frozenset(MemoryType), message=turn.message)
    return [statement_of(candidate, turn) for candidate in screened.accepted]


def statement_of(candidate: Candidate, turn: TrialTurn) -> Statement:
    """A candidate as it is judged: its words, whom it is about, and what it does to which known memory."""
    numbers = {memory.id: number for number, memory in enumerate(turn.known, 1)}
    key = parse_key(candidate.key) if candidate.key else None
    about = " ".join(filter(None, (key.subject, key.name))) if key else "self"
    number = numbers.get(candidate.related_id) if candidate.related_id else None
    return Statement(f"{candidate.text} {candidate.value or ''}", about, candidate.relation, number)
