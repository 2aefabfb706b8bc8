"""Puts one turn before the language model: asks, asks once more where the answer cannot be read, and proposes.

No database connection is held here. One deadline covers everything from the first question to the last answer.
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
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.prompt import PromptTurn
from keepsake.domain.extraction.reply_schema import InvalidReply
from keepsake.domain.memory import Source
from keepsake.infra.logs import log
from keepsake.infra.models.chat_replies import Answer, ModelUnavailable, Reply, Usage
from keepsake.infra.readers import DeadlineExceeded
from keepsake.infra.resources import Resources
from keepsake.store.model_calls import Cost
from keepsake.usecases.extraction.model_gate import Question, jitter
from keepsake.usecases.extraction.proposals import Overdue, Proposal, Statement, by_rules_in_time


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of reading: a proposal, until when to wait, or that it took too long; what it cost, and why not."""

    outcome: Proposal | RetryAt | Overdue
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0))
    failure: ModelUnavailable | None = None


@dataclass(frozen=True, slots=True)
class _Again:
    """The answer cannot be used; ``told`` is what the model is told the second time."""

    told: Mapping[str, str]
    why: str


async def ask_model(resources: Resources, question: Question, said: Statement) -> Attempt:
    """Ask about a turn; where the model has its last chance behind it, rules read the turn instead."""
    asking = _Asking(resources, question, said)
    try:
        return Attempt(await asking.until_read(), asking.cost)
    except DeadlineExceeded:
        return Attempt(Overdue(), asking.cost)
    except ModelUnavailable as failure:
        log.info("the model gave nothing", kind=failure.kind, why=failure.why)
        told = CallFailure(failure.kind, failure.retry_after)
        next_step = decide_retry(told, question.standing, resources.clock.now(), jitter())
        if isinstance(next_step, RetryAt):
            return Attempt(next_step, asking.cost, failure)
        return Attempt(await _rules_instead(resources, said, next_step), asking.cost, failure)


async def ask_rules(resources: Resources, said: Statement) -> Proposal | Overdue:
    """Let the rules read a turn, as long as they may take."""
    try:
        return await by_rules_in_time(resources.readers, said)
    except DeadlineExceeded:
        return Overdue()


async def _rules_instead(resources: Resources, said: Statement, verdict: Fallback) -> Proposal | Overdue:
    resources.metrics.model_fallbacks.labels(verdict.why).inc()
    return await ask_rules(resources, said)


class _Asking:
    """One turn before the model, and what it costs."""

    def __init__(self, resources: Resources, question: Question, said: Statement) -> None:
        material = question.material
        self._use, self._question = resources, question
        self._turn = PromptTurn(
            said.text,
            said.said_at,
            material.timezone,
            material.assistant,
            material.birth_chart,
            question.turn.allowed_types,
        )
        chart = json.dumps(material.birth_chart, ensure_ascii=False) if material.birth_chart else ""
        self._sources = GroundingSources(said.text, material.assistant, material.injected, chart)
        self._calls = self._input = self._output = 0

    @property
    def cost(self) -> Cost:
        """What was spent so far."""
        return Cost(self._calls, self._input, self._output)

    async def until_read(self) -> Proposal:
        """The proposal of the first answer, or of the second; ModelUnavailable where there is none."""
        ahead = (self._question.place - self._use.clock.now()).total_seconds()
        if ahead > 0:
            await asyncio.sleep(ahead)
        deadline = asyncio.get_running_loop().time() + self._use.settings.model_deadline_seconds
        first = await self._once((), deadline)
        if isinstance(first, Proposal):
            return first
        second = await self._once((first.told,), deadline)
        if isinstance(second, Proposal):
            return second
        raise ModelUnavailable("bad_reply", second.why)

    async def _once(self, more: Sequence[Mapping[str, str]], deadline: float) -> Proposal | _Again:
        try:
            reply = await self._reply(more, deadline)
        except ModelUnavailable as failure:
            if failure.kind == "bad_reply" and failure.sent:
                return _Again(prompt.correction_message("it was empty or broken"), failure.why)
            raise
        if not isinstance(reply, Answer):
            return Proposal("llm", Source.LLM_EXTRACTION, (), reply.reason)
        if reply.is_truncated:
            return _Again(prompt.shorten_message(), "cut_off")
        try:
            reading = await self._use.readers.run(read_reply, reply.text, self._sources)
        except InvalidReply as fault:
            self._use.metrics.model_calls.labels("unreadable").inc()
            return _Again(prompt.correction_message(str(fault)), "unreadable")
        return Proposal("llm", Source.LLM_EXTRACTION, reading.candidates, dropped=reading.dropped)

    async def _reply(self, more: Sequence[Mapping[str, str]], deadline: float) -> Reply:
        """One question and its reply, counted."""
        if self._use.model is None:
            raise LookupError("there is no model to ask")

        build_messages = partial(self._messages, more)
        started, self._calls = time.perf_counter(), self._calls + 1
        try:
            reply = await self._use.model.ask(self._question.model, build_messages, prompt.SCHEMA, deadline=deadline)
        except ModelUnavailable as failure:
            self._count(failure.kind, failure.usage, build_messages(schema_in_prompt=False) if failure.sent else (), "")
            raise
        finally:
            self._use.metrics.model_seconds.observe(time.perf_counter() - started)
        text = reply.text if isinstance(reply, Answer) else ""
        self._count(_outcome(reply), reply.usage, build_messages(schema_in_prompt=False), text)
        return reply

    def _messages(self, more: Sequence[Mapping[str, str]], *, schema_in_prompt: bool) -> list[Mapping[str, str]]:
        return [*prompt.build_messages(self._turn, schema_in_prompt=schema_in_prompt), *more]

    def _count(self, outcome: str, usage: Usage | None, asked: Sequence[Mapping[str, str]], answered: str) -> None:
        """Count the tokens the endpoint names, or about as many as there are where it names none."""
        if usage is None:
            count = self._use.count_tokens
            usage = Usage(sum(count(message["content"]) for message in asked), count(answered))
        self._input, self._output = self._input + usage.input, self._output + usage.output
        metrics = self._use.metrics
        metrics.model_calls.labels(outcome).inc()
        metrics.model_tokens.labels("input").inc(usage.input)
        metrics.model_tokens.labels("output").inc(usage.output)


def _outcome(reply: Reply) -> str:
    if not isinstance(reply, Answer):
        return reply.reason
    return "cut_off" if reply.is_truncated else "answered"
