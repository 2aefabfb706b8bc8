"""Calls the language model for one turn, and once more with a correction where the reply cannot be used.

No database connection is open meanwhile. One deadline covers both calls.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from keepsake.domain.availability import CallFailure, Fallback, RetryAt, decide_retry
from keepsake.domain.extraction import prompt
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_preferences import resolve_preferences
from keepsake.domain.extraction.model_reply import ParsedReply, read_reply
from keepsake.domain.extraction.prompt import PromptTurn
from keepsake.domain.extraction.reply_schema import InvalidReply
from keepsake.domain.extraction.rules.role_play import is_in_role_play
from keepsake.domain.memory import Source
from keepsake.domain.merging.read_changes import read_message_and_changes
from keepsake.domain.todos.read_todos import read_todos
from keepsake.infra.logs import log
from keepsake.infra.message_readers import DeadlineExceeded
from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable, Reply, Usage
from keepsake.infra.resources import Resources
from keepsake.store.model_calls import Cost
from keepsake.usecases.extraction.model_gate import ModelRequest, jitter
from keepsake.usecases.extraction.proposals import DeadlineMissed, Proposal, Statement, by_rules_in_time


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of reading a turn (a proposal, a wait or a missed deadline), its cost and its failure."""

    outcome: Proposal | RetryAt | DeadlineMissed
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0))
    failure: ModelUnavailable | None = None


@dataclass(frozen=True, slots=True)
class _UnusableReply:
    """A reply that cannot be used, and the correction that is added to the second request."""

    correction_message: Mapping[str, str]
    reason: str


class ModelCallCancelled(asyncio.CancelledError):
    """The process is to stop in the middle of a call that costs all the same."""

    def __init__(self, cost: Cost) -> None:
        super().__init__()
        self.cost = cost


async def ask_model(resources: Resources, request: ModelRequest, statement: Statement) -> Attempt:
    """Call the model for a turn; after the last failed attempt the rules read it instead."""
    call = _ModelCall(resources, request, statement)
    try:
        return Attempt(await call.run(), call.cost)
    except asyncio.CancelledError:
        raise ModelCallCancelled(call.cost) from None
    except DeadlineExceeded:
        return Attempt(DeadlineMissed(), call.cost)
    except ModelUnavailable as failure:
        log.info("the model gave nothing", kind=failure.kind, why=failure.why)
        reported = CallFailure(failure.kind, failure.retry_after)
        next_step = decide_retry(reported, request.health, resources.clock.now(), jitter())
        if isinstance(next_step, RetryAt):
            return Attempt(next_step, call.cost, failure)
        return Attempt(await _fall_back(resources, statement, next_step), call.cost, failure)


async def ask_rules(resources: Resources, statement: Statement) -> Proposal | DeadlineMissed:
    """Let the rules read a turn within their deadline."""
    try:
        return await by_rules_in_time(resources.readers, statement)
    except DeadlineExceeded:
        return DeadlineMissed()


async def _fall_back(resources: Resources, statement: Statement, verdict: Fallback) -> Proposal | DeadlineMissed:
    resources.metrics.model_fallbacks.labels(verdict.why).inc()
    return await ask_rules(resources, statement)


class _ModelCall:
    """The calls for one turn, and their cost."""

    def __init__(self, resources: Resources, request: ModelRequest, statement: Statement) -> None:
        context = request.context
        self._use, self._request, self._statement = resources, request, statement
        self._turn = PromptTurn(
            statement.text,
            statement.said_at,
            context.timezone,
            context.assistant,
            context.birth_chart,
            request.turn.consent.allowed_types,
            [memory.text for memory in context.known],
        )
        birth_chart = json.dumps(context.birth_chart, ensure_ascii=False) if context.birth_chart else ""
        self._sources = GroundingSources(
            statement.text, context.assistant, context.injected, birth_chart, context.known
        )
        self._calls = self._input = self._output = 0

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self._calls, self._input, self._output)

    async def run(self) -> Proposal:
        """The proposal of the first or the second reply; ModelUnavailable where neither can be used."""
        wait = (self._request.not_before - self._use.clock.now()).total_seconds()
        if wait > 0:
            await asyncio.sleep(wait)
        deadline = asyncio.get_running_loop().time() + self._use.settings.model_deadline_seconds
        first = await self._propose((), deadline)
        if isinstance(first, Proposal):
            return first
        second = await self._propose((first.correction_message,), deadline)
        if isinstance(second, Proposal):
            return second
        raise ModelUnavailable("bad_reply", second.reason)

    async def _propose(self, more: Sequence[Mapping[str, str]], deadline: float) -> Proposal | _UnusableReply:
        try:
            reply = await self._reply(more, deadline)
        except ModelUnavailable as failure:
            if failure.kind == "bad_reply" and failure.sent:
                return _UnusableReply(prompt.correction_message("it was empty or broken"), failure.why)
            raise
        if not isinstance(reply, Answer):
            return Proposal("llm", Source.LLM_EXTRACTION, (), reply.reason)
        if reply.is_truncated:
            return _UnusableReply(prompt.shorten_message(), "cut_off")
        try:
            reading = await self._use.readers.run(read_reply, reply.text, self._sources)
        except InvalidReply as fault:
            self._use.metrics.model_calls.labels("unreadable").inc()
            return _UnusableReply(prompt.correction_message(str(fault)), "unreadable")
        return await self._with_rules(reading)

    async def _with_rules(self, reply: ParsedReply) -> Proposal:
        """The proposal of a reply, with what the rules read on either path: changes and preferences for answers."""
        said = self._statement
        read = await self._use.readers.run(
            read_message_and_changes, said.text, said_at=said.said_at, recent=said.recent, previous=said.previous
        )
        if is_in_role_play(said.text, said.previous):
            return Proposal("llm", Source.LLM_EXTRACTION, (), dropped={"quoted": len(reply.candidates)})
        candidates, dropped = resolve_preferences(
            reply.candidates, read.reading.candidates, is_english=self._sources.is_english
        )
        dropped += reply.dropped
        todos = await self._use.readers.run(read_todos, said.text, previous=said.previous)
        source = Source.LLM_EXTRACTION
        return Proposal("llm", source, candidates, dropped=dropped, changes=read.changes, todos=todos)

    async def _reply(self, more: Sequence[Mapping[str, str]], deadline: float) -> Reply:
        """One request and its reply, with its usage counted."""
        if self._use.model is None:
            raise LookupError("there is no model to ask")

        build_messages = partial(self._messages, more)
        started, self._calls = time.perf_counter(), self._calls + 1
        try:
            reply = await self._use.model.ask(self._request.model, build_messages, prompt.SCHEMA, deadline=deadline)
        except ModelUnavailable as failure:
            self._count(failure.kind, failure.usage, build_messages(schema_in_prompt=False) if failure.sent else (), "")
            raise
        except asyncio.CancelledError:
            self._count("cancelled", None, build_messages(schema_in_prompt=False), "")
            raise
        finally:
            self._use.metrics.model_seconds.observe(time.perf_counter() - started)
        text = reply.text if isinstance(reply, Answer) else ""
        self._count(_outcome(reply), reply.usage, build_messages(schema_in_prompt=False), text)
        return reply

    def _messages(self, more: Sequence[Mapping[str, str]], *, schema_in_prompt: bool) -> list[Mapping[str, str]]:
        return [*prompt.build_messages(self._turn, schema_in_prompt=schema_in_prompt), *more]

    def _count(self, outcome: str, usage: Usage | None, sent: Sequence[Mapping[str, str]], received: str) -> None:
        """Count the tokens that the endpoint reports, or an estimate where it reports none."""
        if usage is None:
            count = self._use.count_tokens
            usage = Usage(sum(count(message["content"]) for message in sent), count(received))
        self._input, self._output = self._input + usage.input, self._output + usage.output
        metrics = self._use.metrics
        metrics.model_calls.labels(outcome).inc()
        metrics.model_tokens.labels("input").inc(usage.input)
        metrics.model_tokens.labels("output").inc(usage.output)


def _outcome(reply: Reply) -> str:
    if not isinstance(reply, Answer):
        return reply.reason
    return "cut_off" if reply.is_truncated else "answered"
