"""Asks the model for a summary, and once more with a correction where the reply cannot be used.

No database connection is open meanwhile. One deadline covers both calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from keepsake.domain.extraction.reply_schema import InvalidReply
from keepsake.domain.model_availability import CallFailure, Fallback, RetryAt
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import Content
from keepsake.domain.summaries.model_wait import MAX_WAIT, ModelWait, decide_summary_retry, delay_retry
from keepsake.domain.summaries.prompt import SummaryPrompt, texts_in
from keepsake.infra.database import Connection
from keepsake.infra.deadline_processes import DeadlineExceeded
from keepsake.infra.dependencies import Resources
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable, Reply
from keepsake.store import model_health
from keepsake.store.model_health import Cost
from keepsake.usecases.models import gate
from keepsake.usecases.models.call import ModelCaller
from keepsake.usecases.models.gate import ModelSlot


@dataclass(frozen=True, slots=True)
class SummaryAttempt:
    """What a model made of a summary: its content, or when to ask again; with neither, the rules form stays."""

    content: Content | None = None
    retry: RetryAt | None = None
    slot: ModelSlot | None = None
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0))
    failure: ModelUnavailable | None = None


async def acquire_summary_slot(
    resources: Resources, conn: Connection, *, model: str, user_id: UUID, wait: ModelWait, now: datetime
) -> ModelSlot | SummaryAttempt:
    """The call that may be made for a summary; a attempt without content where none may be made now."""
    circuit = gate.circuit_of(resources, model)
    health = await model_health.circuit_health(conn, model=circuit, user_id=user_id, now=now)
    health = replace(health, waiting_since=wait.waiting_since, max_wait=MAX_WAIT)
    slot = await gate.acquire_slot(resources, conn, model=model, user_id=user_id, health=health, now=now)
    if isinstance(slot, ModelSlot):
        return slot
    if isinstance(slot, Fallback):
        return SummaryAttempt()
    return SummaryAttempt(retry=delay_retry(slot, now, gate.jitter()))


async def ask_for_summary(
    resources: Resources, slot: ModelSlot, prompt: SummaryPrompt, evidence: Evidence, wait: ModelWait
) -> SummaryAttempt:
    """What the model makes of the data, as far as the evidence supports it."""
    pause = (slot.not_before - resources.clock.now()).total_seconds()
    await asyncio.sleep(max(0.0, pause))
    task = _SummaryTask(resources, slot, prompt, evidence)
    try:
        content = await task.run()
    except ModelUnavailable as failure:
        log.info("the model gave no summary", kind=failure.kind, why=failure.why)
        reported = CallFailure(failure.kind, failure.retry_after)
        retry = decide_summary_retry(reported, wait, resources.clock.now(), gate.jitter())
        return SummaryAttempt(retry=retry, slot=slot, cost=task.caller.cost, failure=failure)
    return SummaryAttempt(content, slot=slot, cost=task.caller.cost)


async def ask_about(
    resources: Resources, task: str, prompt: SummaryPrompt, *, user_id: UUID, wait: ModelWait
) -> SummaryAttempt | None:
    """What the model of a task makes of a prompt; None where rules write it."""
    model = resources.settings.summary_model(task)
    if resources.model is None or model is None:
        return None
    await resources.prepare_reading()
    async with resources.database.as_service() as conn:
        slot = await acquire_summary_slot(
            resources, conn, model=model, user_id=user_id, wait=wait, now=resources.clock.now()
        )
    if isinstance(slot, SummaryAttempt):
        return slot
    return await ask_for_summary(resources, slot, prompt, Evidence(texts_in(prompt.data)), wait)


async def record_attempt(resources: Resources, conn: Connection, attempt: SummaryAttempt | None) -> None:
    """Record what the call cost and what it says of the endpoint, late in a transaction."""
    if attempt is not None and attempt.slot is not None:
        await gate.record_call(resources, conn, attempt.slot, attempt.cost, attempt.failure)


@dataclass(frozen=True, slots=True)
class _UnusableReply:
    """A reply that cannot be used, and the message that is added to the second request."""

    message: Mapping[str, str]
    why: str


class _SummaryTask:
    """The two calls for one summary; waiting until one may be made does not count for their deadline."""

    def __init__(self, resources: Resources, slot: ModelSlot, prompt: SummaryPrompt, evidence: Evidence) -> None:
        self._resources, self._prompt, self._evidence = resources, prompt, evidence
        self._seconds_left = resources.settings.model_deadline_seconds
        self.caller = ModelCaller(resources, slot.model)

    async def run(self) -> Content | None:
        """The content of the first or the second reply; None where the model refuses."""
        first = await self._ask()
        if not isinstance(first, _UnusableReply):
            return first
        second = await self._ask(first.message)
        if isinstance(second, _UnusableReply):
            raise ModelUnavailable("bad_reply", second.why)
        return second

    async def _ask(self, *more: Mapping[str, str]) -> Content | _UnusableReply | None:
        try:
            reply = await self._call(more)
        except ModelUnavailable as failure:
            if failure.kind == "bad_reply" and failure.sent:
                return _UnusableReply(self._prompt.correction_message("it was empty or broken"), failure.why)
            raise
        if not isinstance(reply, Answer):
            return None
        if reply.is_truncated:
            return _UnusableReply(self._prompt.shorten_message(), "cut_off")
        try:
            return await self._resources.readers.run(self._prompt.form.read, reply.text, self._evidence)
        except InvalidReply as fault:
            self._resources.metrics.model_calls.labels("unreadable").inc()
            return _UnusableReply(self._prompt.correction_message(str(fault)), "unreadable")
        except DeadlineExceeded:
            return _UnusableReply(self._prompt.shorten_message(), "too_long")

    async def _call(self, more: tuple[Mapping[str, str], ...]) -> Reply:
        without_schema, with_schema = (
            [*self._prompt.build_messages(schema_in_prompt=is_in_prompt), *more] for is_in_prompt in (False, True)
        )
        now = asyncio.get_running_loop().time
        async with self._resources.summary_calls:
            began = now()
            try:
                return await self.caller.ask(
                    (without_schema, with_schema), self._prompt.form.schema, deadline=began + self._seconds_left
                )
            finally:
                self._seconds_left -= now() - began
