"""What came of asking a model for a summary, for whoever stores the summary afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from keepsake.domain.model_availability import RetryAt
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.infra.database import Connection
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.store.model_health import NO_COST, Cost
from keepsake.usecases.models import gate
from keepsake.usecases.models.gate import ModelSlot

Sources = TypeVar("Sources")


@dataclass(frozen=True, slots=True)
class SummaryAttempt(Generic[Sources]):
    """What a model made of these sources, or when to ask again; with neither, the rules form stays."""

    sources: Sources
    content: Content | None = None
    retry: RetryAt | None = None
    slot: ModelSlot | None = None
    cost: Cost = NO_COST
    failure: ModelUnavailable | None = None
    prompt: SummaryPrompt | None = None
    """The prompt that the content answers."""


def content_for(attempt: SummaryAttempt[Sources] | None, sources: Sources) -> Content | None:
    """What the model wrote, if it rests on these sources; else None, and the rules write."""
    return attempt.content if attempt is not None and attempt.sources == sources else None


def latest_retry(*attempts: SummaryAttempt[Any] | None) -> RetryAt | None:
    """When the model is to be asked again about all of these; None where it is not."""
    retries = (one.retry for one in attempts if one is not None and one.retry is not None)
    return max(retries, key=lambda retry: retry.until, default=None)


def wait_after(retry: RetryAt, now: datetime) -> ModelWait:
    """The wait to store for a summary that the model is asked for again."""
    return ModelWait(retry.failures, retry.bad_replies, now)


async def record_attempts(resources: Resources, conn: Connection, *attempts: SummaryAttempt[Any] | None) -> None:
    """Record what the calls cost and what they say of the endpoint, late in a transaction."""
    for attempt in attempts:
        if attempt is not None and attempt.slot is not None:
            await gate.record_call(resources, conn, attempt.slot, attempt.cost, attempt.failure)
