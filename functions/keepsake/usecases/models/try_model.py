"""Tries a model with the fixed turns of the trial, as extraction asks it, and stores nothing of what it says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from keepsake.domain.extraction import prompt
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.judge_model import Statement, TrialResult
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.prompt import PromptTurn
from keepsake.domain.extraction.reply_schema import parse_members, schema_of
from keepsake.domain.extraction.trial_turns import SAID_AT, TrialTurn
from keepsake.domain.memory_key import parse_key
from keepsake.domain.replies.read_object import ReplyText
from keepsake.infra.models.chat_reply_parser import ModelUnavailable, Refusal, Reply
from keepsake.infra.resources import Resources
from keepsake.usecases.models.ask_with_correction import ask_with_correction
from keepsake.usecases.models.call import Message, ModelCaller

ABOUT_MODEL = ("bad_reply", "refused_request")
"""Failures that say something of the model; others say that it is away."""


@dataclass(frozen=True, slots=True)
class _Read:
    proposed: Sequence[Statement]
    kept: Sequence[Statement]
    repairs: frozenset[str]


async def try_model(resources: Resources, model: str, turns: Sequence[TrialTurn]) -> AsyncIterator[TrialResult]:
    """What the model makes of each turn; raises ModelUnavailable where it does not answer."""
    for turn in turns:
        yield await _try_turn(resources, model, turn)


async def _try_turn(resources: Resources, model: str, turn: TrialTurn) -> TrialResult:
    caller = ModelCaller(resources, model)
    deadline = asyncio.get_running_loop().time() + resources.settings.model_deadline_seconds
    shown = PromptTurn(turn.message, SAID_AT, assistant=turn.assistant, known=[memory.text for memory in turn.known])

    async def ask(more: Sequence[Message]) -> Reply:
        prompts = [prompt.build_messages(shown, schema_in_prompt=in_prompt) for in_prompt in (False, True)]
        without_schema, with_schema = ([*messages, *more] for messages in prompts)
        return await caller.ask((without_schema, with_schema), schema_of(), deadline=deadline)

    async def read(reply: ReplyText) -> _Read:
        return read_trial_reply(reply, turn)

    began = time.perf_counter()
    is_read, found = True, _Read((), (), frozenset())
    try:
        reply = await ask_with_correction(ask, read, prompt, caller)
        if isinstance(reply, Refusal):
            is_read = False
        else:
            found = reply
    except ModelUnavailable as failure:
        if failure.kind not in ABOUT_MODEL:
            raise
        is_read = False
    cost, seconds = caller.cost, time.perf_counter() - began
    tokens = (cost.input, cost.output)
    return TrialResult(turn, found.proposed, found.kept, is_read, cost.calls, tokens, seconds, found.repairs)


def read_trial_reply(reply: ReplyText, turn: TrialTurn) -> _Read:
    """What a reply proposes for a turn, and what the check leaves of it; InvalidReply where it cannot be read."""
    members = parse_members(reply)
    parsed = read_reply(reply, GroundingSources(turn.message, turn.assistant, known=turn.known, said_on=SAID_AT.date()))
    proposed = [
        Statement(
            f"{member.text} {member.value}", member.about, member.relation, next(iter(member.shown_numbers), None)
        )
        for member in members.memories
    ]
    numbers = {memory.id: number for number, memory in enumerate(turn.known, 1)}
    kept = [
        Statement(
            f"{candidate.text} {candidate.value or ''}",
            " ".join(filter(None, (parse_key(candidate.key).subject, parse_key(candidate.key).name)))
            if candidate.key
            else "self",
            candidate.relation,
            numbers.get(candidate.related_id) if candidate.related_id else None,
        )
        for candidate in parsed.candidates
    ]
    return _Read(proposed, kept, members.repairs)
