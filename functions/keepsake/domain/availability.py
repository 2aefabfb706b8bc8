"""May the model be asked about a turn now, and what follows where it was not there: pure rules over what is stored.

A turn is asked about again five times where the model is away, twice where it answers what cannot be read, and for a
day where it locks us out; then rules read it. Whoever waits is told apart from the others by chance (``spread``, from
0 to 1), so that not everybody comes back at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

MAX_FAILURES = 5
MAX_BAD_REPLIES = 2
MAX_WAIT = timedelta(days=1)
"""How long a turn waits for a model that locks us out, at the most for any other reason too."""

PROBE_INTERVAL = timedelta(minutes=1)
_FIRST_BACKOFF = timedelta(minutes=1)
_MAX_JITTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class EndpointHealth:
    """How a model fares, what it cost today, and how often a turn waited for it."""

    failures: int = 0
    bad_replies: int = 0
    waiting_since: datetime | None = None
    not_before: datetime | None = None
    opened_at: datetime | None = None
    next_probe_at: datetime | None = None
    paused_until: datetime | None = None
    tokens_of_person: int = 0
    tokens_of_all: int = 0


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Tokens of a day, for one person and for all; 0 is no limit."""

    per_person: int = 0
    for_all: int = 0


@dataclass(frozen=True, slots=True)
class CallModel:
    """The model may be asked; as a probe where it last locked us out."""

    probe: bool = False


@dataclass(frozen=True, slots=True)
class RetryAt:
    """The turn waits and comes back at ``until``; for a failure of its own, it is not asked about before."""

    until: datetime
    failures: int = 0
    bad_replies: int = 0


@dataclass(frozen=True, slots=True)
class Fallback:
    """The model will not read this turn; rules do."""

    why: Literal["away", "bad_replies", "waited", "locked_out", "over_budget"]


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why an attempt came to nothing, and how long the endpoint wants to be left alone."""

    kind: Literal["busy", "locked_out", "bad_reply"]
    retry_after: float | None = None


def decide_call(
    health: EndpointHealth, budget: TokenBudget, now: datetime, jitter: float = 0.0
) -> CallModel | RetryAt | Fallback:
    """Whether the model may be asked about a turn now."""
    if _has_waited_too_long(health, now):
        return Fallback("waited")
    if 0 < budget.per_person <= health.tokens_of_person or 0 < budget.for_all <= health.tokens_of_all:
        return Fallback("over_budget")
    if health.not_before is not None and health.not_before > now:
        return RetryAt(health.not_before)
    if health.paused_until is not None and health.paused_until > now:
        return RetryAt(health.paused_until + jitter * _MAX_JITTER)
    return _decide_by_circuit(health, now, jitter)


def _decide_by_circuit(health: EndpointHealth, now: datetime, jitter: float) -> CallModel | RetryAt | Fallback:
    """A closed circuit lets everybody through; an open one, a probe at a time."""
    if health.next_probe_at is None:
        return CallModel()
    if health.next_probe_at <= now:
        return CallModel(probe=True)
    return Fallback("locked_out") if _is_locked_out_long(health, now) else after_probe(now, jitter)


def decide_retry(
    failure: CallFailure, health: EndpointHealth, now: datetime, jitter: float = 0.0
) -> RetryAt | Fallback:
    """What becomes of a turn whose attempt came to nothing."""
    if failure.kind == "locked_out":
        return Fallback("locked_out") if _is_locked_out_long(health, now) else after_probe(now, jitter)
    if failure.kind == "bad_reply":
        if health.bad_replies >= MAX_BAD_REPLIES:
            return Fallback("bad_replies")
        return RetryAt(now + _backoff(health.bad_replies, jitter), bad_replies=1)
    if health.failures >= MAX_FAILURES:
        return Fallback("away")
    if failure.retry_after is None:
        return RetryAt(now + _backoff(health.failures, jitter), failures=1)
    requested_pause = timedelta(seconds=max(1.0, failure.retry_after))
    return RetryAt(now + requested_pause + jitter * min(requested_pause, _MAX_JITTER), failures=1)


def after_probe(now: datetime, jitter: float) -> RetryAt:
    """Until the next probe, or a little after it, for somebody else may make it."""
    return RetryAt(now + PROBE_INTERVAL + jitter * _MAX_JITTER)


def _has_waited_too_long(health: EndpointHealth, now: datetime) -> bool:
    """Whether a turn has waited its day, or was to be read by rules already."""
    has_expired = health.waiting_since is not None and now - health.waiting_since >= MAX_WAIT
    return has_expired or health.failures > MAX_FAILURES or health.bad_replies > MAX_BAD_REPLIES


def _is_locked_out_long(health: EndpointHealth, now: datetime) -> bool:
    return health.opened_at is not None and now - health.opened_at >= MAX_WAIT


def _backoff(earlier_failures: int, jitter: float) -> timedelta:
    """Twice as long each time, and up to half as long again."""
    return _FIRST_BACKOFF * float(2**earlier_failures) * (1 + jitter / 2)
