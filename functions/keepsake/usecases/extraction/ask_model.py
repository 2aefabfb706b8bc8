"""Calls the language model for one turn, and once more with a correction where the reply cannot be used.

No database connection is open meanwhile. One deadline covers both calls.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial

from keepsake.domain.extraction import prompt
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_answer_preferences import resolve_preferences
from keepsake.domain.extraction.model_reply import ParsedReply, read_reply
from keepsake.domain.extraction.precise_statements import precise_statements
from keepsake.domain.extraction.prompt import MAX_BEFORE, PromptTurn
from keepsake.domain.extraction.reply_schema import schema_of
from keepsake.domain.extraction.shorten_message import keep_newest
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Source
from keepsake.domain.model_availability import CallFailure, Fallback, RetryAt, decide_retry
from keepsake.domain.reading import read
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.domain.timezones import find_timezone
from keepsake.domain.todos.believed_todos import believed_todos
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import TOO_LONG, Answer, ModelUnavailable, Refusal, Reply
from keepsake.infra.readers import DeadlineExceeded
from keepsake.infra.resources import Resources
from keepsake.store.model_health import NO_COST, Cost
from keepsake.usecases.extraction.chart_of_day import chart_of_day
from keepsake.usecases.extraction.model_request import ModelRequest
from keepsake.usecases.extraction.proposals import (
    DeadlineMissed,
    MessageToRead,
    Proposal,
    by_rules_in_time,
)
from keepsake.usecases.models.ask_with_correction import ask_with_correction, count_repairs, text_of_answer
from keepsake.usecases.models.call import Message, ModelCallCancelled, ModelCaller
from keepsake.usecases.models.gate import jitter
from keepsake.usecases.screening.classify_sentences import drop_rejected

_MARGIN, _LEAST_ROOM = 50, 100
"""Tokens that a chat template adds to the messages, and that a message has in any case."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of reading a turn (a proposal, a wait or a missed deadline), its cost and its failure."""

    outcome: Proposal | RetryAt | DeadlineMissed
    cost: Cost = NO_COST
    failure: ModelUnavailable | None = None


async def ask_model(resources: Resources, request: ModelRequest, message: MessageToRead) -> Attempt:
    """Call the model for a turn; after the last failed attempt the rules read it instead."""
    call = _ModelCall(resources, request, message)
    try:
        return Attempt(await call.run(), call.cost)
    except asyncio.CancelledError:
        raise ModelCallCancelled(call.cost) from None
    except DeadlineExceeded:
        return Attempt(DeadlineMissed(), call.cost)
    except ModelUnavailable as failure:
        log.info("the model gave nothing", kind=failure.kind, why=failure.why)
        reported = CallFailure(failure.kind, failure.retry_after)
        next_step = decide_retry(reported, request.slot.health, resources.clock.now(), jitter())
        if isinstance(next_step, RetryAt):
            return Attempt(next_step, call.cost, failure)
        return Attempt(await _fall_back(resources, message, next_step), call.cost, failure)


async def ask_rules(resources: Resources, message: MessageToRead) -> Proposal | DeadlineMissed:
    """Let the rules read a turn within their deadline."""
    try:
        (proposal,) = await by_rules_in_time(resources.readers, [message])
    except DeadlineExceeded:
        return DeadlineMissed()
    return proposal


async def _fall_back(resources: Resources, message: MessageToRead, verdict: Fallback) -> Proposal | DeadlineMissed:
    resources.metrics.model_fallbacks.labels(verdict.why).inc()
    return await ask_rules(resources, message)


class _ModelCall:
    """The calls for one turn, and their cost."""

    def __init__(self, resources: Resources, request: ModelRequest, message: MessageToRead) -> None:
        context = request.context
        chart = chart_of_day(context.birth_chart, message.said_at)
        self._resources, self._request, self._message = resources, request, message
        before = [one.text for one in request.turn.previous if one.role == "user"][:MAX_BEFORE]
        self._turn = PromptTurn(
            message.text,
            message.said_at,
            context.timezone,
            context.assistant,
            chart,
            request.turn.consent.allowed_types,
            [memory.text for memory in context.known],
            before,
            [todo.text for todo in request.todos],
            resources.settings.memories_per_message,
        )
        self._sources = GroundingSources(
            message.text,
            context.assistant,
            context.injected,
            json.dumps(chart, ensure_ascii=False) if chart else "",
            context.known,
            before,
            message.said_at.astimezone(find_timezone(context.timezone) or UTC).date(),
            request.verdict,
            context.names,
        )
        self._caller = ModelCaller(resources, request.slot.model, probes_first=request.slot.is_probe)
        self._model = f"model {request.slot.model}, prompt {prompt.VERSION}"

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return self._caller.cost

    async def run(self) -> Proposal:
        """The proposal of the first or the second reply; ModelUnavailable where neither can be used."""
        wait = (self._request.slot.not_before - self._resources.clock.now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(wait)
        deadline = asyncio.get_running_loop().time() + self._resources.settings.model_deadline_seconds
        reply = await self._ask_shortening(deadline)
        if isinstance(reply, Refusal):
            return Proposal("llm", Source.LLM_EXTRACTION, (), reply.reason, model=self._model)
        return replace(await self._proposal(reply), model=self._model)

    async def _ask_shortening(self, deadline: float) -> ParsedReply | Refusal:
        """The reply; where the endpoint says that the message is too long, the reply to its newest half."""
        ask = partial(self._ask, deadline)
        try:
            return await ask_with_correction(ask, self._read, prompt, self._caller)
        except ModelUnavailable as failure:
            if failure.why != TOO_LONG:
                raise
        count = self._resources.count_tokens
        self._turn = replace(self._turn, said=keep_newest(self._turn.said, count(self._turn.said) // 2, count))
        reply = await ask(())
        return reply if isinstance(reply, Refusal) else await self._read_last(reply)

    async def _read_last(self, reply: Answer) -> ParsedReply:
        """What is read of a reply after which the model is asked no more."""
        try:
            return await self._read(text_of_answer(reply, is_second=True))
        except InvalidReply as fault:
            self._caller.mark_unusable()
            raise ModelUnavailable("bad_reply", fault.why) from None

    async def _proposal(self, reply: ParsedReply) -> Proposal:
        """The proposal of a reply, with the few statements that the rules add to it.

        A capable model also says what changes, what is to be done and what to forget; otherwise the rules do.
        """
        reading = await self._resources.readers.run(read, **self._message.arguments)
        is_good = self._request.verdict is Verdict.GOOD
        if reading.is_role_play and not is_good:
            return Proposal("llm", Source.LLM_EXTRACTION, (), dropped={"quoted": len(reply.candidates)})
        by_rules = (
            []
            if reading.is_role_play
            else precise_statements(
                reading.candidates, reply.refused_quotes, with_names=not is_good or bool(reply.candidates)
            )
        )
        candidates, dropped = resolve_preferences(reply.candidates, by_rules, is_english=self._sources.is_english)
        candidates, rejected = await drop_rejected(self._resources.embedder, candidates)
        candidates = [one if one.why else replace(one, why=self._model) for one in candidates]
        dropped += reply.dropped + rejected
        proposal = Proposal("llm", Source.LLM_EXTRACTION, candidates, dropped=dropped)
        if not is_good:
            return replace(proposal, changes=reading.changes, todos=reading.todos)
        todos, refused = believed_todos(reply.todos, self._sources, self._request.todos, reply.language)
        forget = tuple(memory.id for memory in reply.forget)
        return replace(proposal, dropped=dropped + refused, todos=todos, forget=forget)

    async def _read(self, reply: ReplyText) -> ParsedReply:
        parsed = await self._resources.readers.run(read_reply, reply, self._sources)
        count_repairs(self._resources.metrics, self._request.slot.model, parsed.repairs)
        return parsed

    def _room_of_message(self, messages: Sequence[Message], more: Sequence[Message]) -> int | None:
        """The tokens that the model's window leaves for the message; None where the message fits."""
        settings, count = self._resources.settings, self._resources.count_tokens
        if not settings.model_window_tokens:
            return None
        room = settings.model_window_tokens - settings.model_output_tokens - _MARGIN
        needed = sum(count(message["content"]) for message in (*messages, *more))
        return None if needed <= room else max(_LEAST_ROOM, room - needed + count(self._turn.said))

    async def _ask(self, deadline: float, more: Sequence[Message]) -> Reply:
        """One request and its reply, with its usage counted."""
        forms = [{"turn": self._turn, "schema_in_prompt": is_in_prompt} for is_in_prompt in (False, True)]
        without_schema, with_schema = await self._resources.readers.run_each(prompt.build_messages, forms)
        if (room := self._room_of_message(with_schema, more)) is not None:
            self._turn = replace(self._turn, said=keep_newest(self._turn.said, room, self._resources.count_tokens))
            forms = [{**form, "turn": self._turn} for form in forms]
            without_schema, with_schema = await self._resources.readers.run_each(prompt.build_messages, forms)

        def build_messages(*, schema_in_prompt: bool) -> list[Message]:
            return [*(with_schema if schema_in_prompt else without_schema), *more]

        return await self._caller.ask(build_messages, schema_of(self._turn.limit), deadline=deadline)
