"""Calls a language model for one task, and counts what the calls cost."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from keepsake.infra.models.chat_reply_parser import Answer, ModelUnavailable, Reply, Usage
from keepsake.infra.resources import Resources
from keepsake.store.model_health import Cost

if TYPE_CHECKING:
    from keepsake.infra.models.chat import PromptBuilder

Message = Mapping[str, str]


class ModelCallCancelled(asyncio.CancelledError):
    """The process is to stop in the middle of a call that costs all the same."""

    def __init__(self, cost: Cost) -> None:
        super().__init__()
        self.cost = cost


class ModelCaller:
    """The calls for one task, and their cost."""

    def __init__(self, resources: Resources, model: str, *, probes_first: bool = False) -> None:
        self._resources, self._model, self._probes_first = resources, model, probes_first
        self._calls = self._input = self._output = self._unusable = 0

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self._calls, self._input, self._output, self._unusable)

    def mark_unusable(self) -> None:
        """What was replied so far cannot be used: the person does not pay for it."""
        self._unusable = self._input + self._output
        self._resources.metrics.model_calls.labels("unreadable").inc()

    async def ask(
        self,
        messages: PromptBuilder,
        schema: Mapping[str, Any],
        *,
        deadline: float,
    ) -> Reply:
        """One request and its reply, with its usage counted; ModelUnavailable where there is none by the deadline."""
        if self._resources.model is None:
            raise LookupError("there is no model to ask")
        if self._probes_first:
            await self._resources.model.probe(self._model, deadline=deadline)
            self._probes_first = False
        started, self._calls = time.perf_counter(), self._calls + 1
        try:
            reply = await self._resources.model.ask(self._model, messages, schema, deadline=deadline)
        except ModelUnavailable as failure:
            self._count(failure.kind, failure.usage, messages if failure.sent else None, "")
            raise
        except asyncio.CancelledError:
            self._count("cancelled", None, messages, "")
            raise
        finally:
            self._resources.metrics.model_seconds.observe(time.perf_counter() - started)
        text = reply.text if isinstance(reply, Answer) else ""
        self._count(_outcome(reply), reply.usage, messages, text)
        return reply

    def _count(self, outcome: str, usage: Usage | None, sent: PromptBuilder | None, received: str) -> None:
        """Count the tokens that the endpoint reports, or an estimate where it reports none."""
        if usage is None:
            count = self._resources.count_tokens
            messages = sent(schema_in_prompt=False) if sent else ()
            usage = Usage(sum(count(message["content"]) for message in messages), count(received))
        self._input, self._output = self._input + usage.input, self._output + usage.output
        metrics = self._resources.metrics
        metrics.model_calls.labels(outcome).inc()
        metrics.model_tokens.labels("input").inc(usage.input)
        metrics.model_tokens.labels("output").inc(usage.output)


def _outcome(reply: Reply) -> str:
    if not isinstance(reply, Answer):
        return reply.reason
    return "cut_off" if reply.is_truncated else "answered"
