"""Decides whether a model endpoint may be called now, and when a failed call is retried.

A message is retried five times where the endpoint is away, and as long as it may wait (``max_wait``) in any case; then
rules extract instead. A reply that cannot be used, and a refusal that concerns one request, end the model's part at
once. Pauses grow (backoff) and have a random part (``jitter``, from 0 to 1), so that not all retry at once. Several
failed calls in a row open the circuit for all messages; several replies in a row that cannot be used set the model
aside: its messages do not wait, and a short question tries it again now and then.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

MAX_FAILURES = 5
MAX_BAD_REPLIES = 2
"""How often a summary is asked about again after a reply that cannot be used."""
MAX_WAIT = timedelta(days=1)
"""The longest time a message waits for the model, where the caller sets no other."""

MAX_ENDPOINT_FAILURES = 3
"""Failed calls in a row, of all messages together, after which the circuit opens."""

MAX_UNUSABLE = 5
"""Replies in a row that could not be used, after which the model is set aside."""

BAD_REPLIES = "bad_replies"
"""The reason of a circuit that such replies opened."""

PROBE_INTERVAL = timedelta(minutes=1)
QUARANTINE_INTERVAL = timedelta(minutes=15)
_FIRST_BACKOFF = timedelta(minutes=1)
_MAX_JITTER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class EndpointHealth:
    """The state of an endpoint's circuit breaker, its tokens of today, and the retries of one message."""

    failures: int = 0
    bad_replies: int = 0
    waiting_since: datetime | None = None
    not_before: datetime | None = None
    opened_at: datetime | None = None
    next_probe_at: datetime | None = None
    paused_until: datetime | None = None
    endpoint_failures: int = 0
    unusable_replies: int = 0
    """Replies in a row, of all messages together, that could not be used."""
    reason: str | None = None
    """Why the circuit is open."""
    tokens_of_person: int = 0
    tokens_of_all: int = 0
    max_wait: timedelta = MAX_WAIT


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """The tokens of a day, for one person and for all; 0 is no limit."""

    per_person: int = 0
    for_all: int = 0


@dataclass(frozen=True, slots=True)
class CallModel:
    """The endpoint may be called; as a probe where its circuit is open."""

    probe: bool = False


@dataclass(frozen=True, slots=True)
class RetryAt:
    """The message is retried at ``until``; the counts are added to those of the message."""

    until: datetime
    failures: int = 0
    bad_replies: int = 0


@dataclass(frozen=True, slots=True)
class Fallback:
    """The model is not called for this message any more; rules extract instead."""

    why: Literal["away", "bad_replies", "waited", "locked_out", "over_budget", "refused_request", "quarantined"]


Verdict = CallModel | RetryAt | Fallback


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why a call failed, and the pause in seconds that the endpoint asked for."""

    kind: Literal["busy", "locked_out", "bad_reply", "refused_request"]
    retry_after: float | None = None


def decide_call(health: EndpointHealth, budget: TokenBudget, now: datetime, jitter: float = 0.0) -> Verdict:
    """Whether the endpoint may be called for a message now."""
    return _limit_wait(_decide_call(health, budget, now, jitter), health, now)


def _decide_call(health: EndpointHealth, budget: TokenBudget, now: datetime, jitter: float) -> Verdict:
    if _has_waited_too_long(health, now):
        return Fallback("waited")
    if 0 < budget.per_person <= health.tokens_of_person or 0 < budget.for_all <= health.tokens_of_all:
        return Fallback("over_budget")
    if health.not_before is not None and health.not_before > now:
        return RetryAt(health.not_before)
    if health.paused_until is not None and health.paused_until > now:
        return RetryAt(health.paused_until + jitter * _MAX_JITTER)
    return _decide_by_circuit(health, now, jitter)


def _decide_by_circuit(health: EndpointHealth, now: datetime, jitter: float) -> Verdict:
    """A closed circuit allows all calls, an open one a single probe at a time."""
    if health.next_probe_at is None:
        return CallModel()
    if health.next_probe_at <= now:
        return CallModel(probe=True)
    if health.reason == BAD_REPLIES:
        return Fallback("quarantined")
    return Fallback("locked_out") if _is_locked_out_long(health, now) else after_probe(now, jitter)


def decide_retry(error: CallFailure, health: EndpointHealth, now: datetime, jitter: float = 0.0) -> RetryAt | Fallback:
    """What follows from a failed call: a retry, or rules instead."""
    next_step = _decide_retry(error, health, now, jitter)
    if isinstance(next_step, RetryAt):
        return RetryAt(min(next_step.until, _end_of_wait(health, now)), next_step.failures, next_step.bad_replies)
    return next_step


def _decide_retry(error: CallFailure, health: EndpointHealth, now: datetime, jitter: float) -> RetryAt | Fallback:
    if error.kind == "locked_out":
        return Fallback("locked_out") if _is_locked_out_long(health, now) else after_probe(now, jitter)
    if error.kind == "bad_reply":
        return Fallback("bad_replies")
    if error.kind == "refused_request":
        return Fallback("refused_request")
    if health.failures >= MAX_FAILURES:
        return Fallback("away")
    if error.retry_after is None:
        return RetryAt(now + _backoff(health.failures, jitter), failures=1)
    requested_pause = timedelta(seconds=max(1.0, error.retry_after))
    return RetryAt(now + requested_pause + jitter * min(requested_pause, _MAX_JITTER), failures=1)


def after_probe(now: datetime, jitter: float) -> RetryAt:
    """Retry shortly after the next probe, which another message may make."""
    return RetryAt(now + PROBE_INTERVAL + jitter * _MAX_JITTER)


def _limit_wait(verdict: Verdict, health: EndpointHealth, now: datetime) -> Verdict:
    """End a wait when the message may not wait any longer, so that the rules read it then."""
    return RetryAt(min(verdict.until, _end_of_wait(health, now))) if isinstance(verdict, RetryAt) else verdict


def _end_of_wait(health: EndpointHealth, now: datetime) -> datetime:
    return max(now, (health.waiting_since or now) + health.max_wait)


def _has_waited_too_long(health: EndpointHealth, now: datetime) -> bool:
    """Whether the message has waited its day or used up its retries."""
    has_expired = health.waiting_since is not None and now - health.waiting_since >= health.max_wait
    return has_expired or health.failures > MAX_FAILURES or health.bad_replies > MAX_BAD_REPLIES


def _is_locked_out_long(health: EndpointHealth, now: datetime) -> bool:
    return health.opened_at is not None and now - health.opened_at >= health.max_wait


def _backoff(earlier_failures: int, jitter: float) -> timedelta:
    """Exponential backoff, with jitter of up to a half."""
    return _FIRST_BACKOFF * float(2**earlier_failures) * (1 + jitter / 2)
