"""Asks the model for a summary. No database connection is open meanwhile, and one deadline covers both calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from keepsake.domain.model_availability import CallFailure, Fallback, RetryAt
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.model_form import budget_of
from keepsake.domain.summaries.model_wait import MAX_WAIT, ModelWait, decide_summary_retry, delay_retry
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.review import Review, is_reviewed
from keepsake.infra.database import Connection
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable, Refusal, Reply
from keepsake.infra.readers import DeadlineExceeded
from keepsake.infra.resources import Resources
from keepsake.store import model_health
from keepsake.usecases.models import gate
from keepsake.usecases.models.ask_with_correction import UnusableReply, ask_with_correction, count_repairs
from keepsake.usecases.models.call import Message, ModelCaller
from keepsake.usecases.models.gate import ModelSlot
from keepsake.usecases.summaries.summary_attempt import Sources, SummaryAttempt


def has_model(resources: Resources, task: str) -> bool:
    """Whether a model writes summaries of this task; else rules write them."""
    return resources.model is not None and resources.settings.summary_model(task) is not None


def budget(resources: Resources) -> int:
    """Characters of texts that a prompt may have."""
    return budget_of(resources.settings.summary_window_tokens)


async def acquire_slot(
    resources: Resources, conn: Connection, task: str, *, user_id: UUID, wait: ModelWait
) -> ModelSlot | RetryAt | None:
    """The call that may be made for a summary, or when to ask again; None where the rules form is to stay."""
    model, now = resources.settings.summary_model(task), resources.clock.now()
    if model is None:
        return None
    circuit = gate.circuit_of(resources, model)
    health = await model_health.circuit_health(conn, model=circuit, user_id=user_id, now=now)
    health = replace(health, waiting_since=wait.waiting_since, max_wait=MAX_WAIT)
    slot = await gate.acquire_slot(resources, conn, model=model, user_id=user_id, health=health, now=now)
    if isinstance(slot, Fallback):
        return None
    return slot if isinstance(slot, ModelSlot) else delay_retry(slot, now, gate.jitter())


async def ask_for_summary(
    resources: Resources,
    slot: ModelSlot | RetryAt | None,
    prompt: SummaryPrompt,
    sources: Sources,
    *,
    wait: ModelWait,
) -> SummaryAttempt[Sources]:
    """What the model makes of the prompt, as far as its texts support it.

    A second call reviews it: sentences that the texts do not say are put right or left out. Where its reply cannot be
    used, what was supported of the first is kept.
    """
    if not isinstance(slot, ModelSlot):
        return SummaryAttempt(sources, retry=slot)
    pause = (slot.not_before - resources.clock.now()).total_seconds()
    await asyncio.sleep(max(0.0, pause))
    call = _SummaryCall(resources, slot, prompt)
    content: Content | Refusal
    try:
        content = await ask_with_correction(call.ask, call.read, prompt, call.caller)
    except ModelUnavailable as failure:
        if call.supported_first is not None:
            return SummaryAttempt(sources, call.supported_first, slot=slot, cost=call.caller.cost, prompt=prompt)
        log.info("the model gave no summary", kind=failure.kind, why=failure.why)
        reported = CallFailure(failure.kind, failure.retry_after)
        retry = decide_summary_retry(reported, wait, resources.clock.now(), gate.jitter())
        return SummaryAttempt(sources, retry=retry, slot=slot, cost=call.caller.cost, failure=failure)
    written = call.supported_first if isinstance(content, Refusal) else content
    return SummaryAttempt(sources, written, slot=slot, cost=call.caller.cost, prompt=prompt)


async def ask_about(
    resources: Resources, task: str, prompt: SummaryPrompt, sources: Sources, *, user_id: UUID, wait: ModelWait
) -> SummaryAttempt[Sources] | None:
    """What the model of a task makes of a prompt; None where rules write it."""
    if not has_model(resources, task):
        return None
    await resources.prepare_reading()
    async with resources.database.as_service() as conn:
        slot = await acquire_slot(resources, conn, task, user_id=user_id, wait=wait)
    return await ask_for_summary(resources, slot, prompt, sources, wait=wait)


class _SummaryCall:
    """The two calls for one summary; waiting until one may be made does not count for their deadline."""

    def __init__(self, resources: Resources, slot: ModelSlot, prompt: SummaryPrompt) -> None:
        self._resources, self._prompt = resources, prompt
        self._review: Review | None = None
        """What is asked once there is a first reply that could be read."""
        self._seconds_left = resources.settings.model_deadline_seconds
        self._model = slot.model
        self.caller = ModelCaller(resources, slot.model, probes_first=slot.is_probe)

    @property
    def supported_first(self) -> Content | None:
        """What the texts support of the first reply, if anything."""
        return self._review.first.content if self._review and self._review.first.has_something else None

    async def ask(self, more: Sequence[Message]) -> Reply:
        """One request and its reply."""
        request, added = (self._review, []) if self._review else (self._prompt, more)

        def build_messages(*, schema_in_prompt: bool) -> list[Message]:
            return [*request.build_messages(schema_in_prompt=schema_in_prompt), *added]

        schema = self._review.schema if self._review else self._prompt.form.schema
        now = asyncio.get_running_loop().time
        async with self._resources.summary_calls:
            began = now()
            try:
                return await self.caller.ask(build_messages, schema, deadline=began + self._seconds_left)
            finally:
                self._seconds_left -= now() - began

    async def read(self, reply: ReplyText) -> Content:
        """What a reply says, as far as the texts support it."""
        try:
            if self._review is None:
                found = await self._resources.readers.run(self._prompt.form.read, reply, self._prompt.evidence)
            else:
                found = await self._resources.readers.run(self._review.read, reply)
        except DeadlineExceeded:
            raise UnusableReply(self._prompt.shorten_message(), "too_long") from None
        except InvalidReply:
            if self.supported_first is None:
                raise
            log.info("the review of a summary could not be read", task=self._prompt.task)
            return self.supported_first
        count_repairs(self._resources.metrics, self._model, found.repairs)
        if self._review is None and is_reviewed(self._prompt, found):
            self._review = Review(self._prompt, found)
            raise UnusableReply(self._prompt.correction_message("some sentences were refused"), "unsupported")
        if not found.has_something:
            raise InvalidReply("nothing in it rests on the texts that it cites")
        return found.content
