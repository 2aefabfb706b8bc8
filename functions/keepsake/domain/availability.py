"""May the model be asked about a turn now, and what follows where it was not there: pure rules over what is stored.

A turn is asked about again five times where the model is away, twice where it answers what cannot be read, and for a
day where it locks us out; then rules read it. Whoever waits is told apart from the others by chance (``spread``, from
0 to 1), so that not everybody comes back at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

RETRIES_AWAY = 5
RETRIES_BAD_REPLY = 2
PATIENCE = timedelta(days=1)
"""How long a turn waits for a model that locks us out, at the most for any other reason too."""

PROBE_EVERY = timedelta(minutes=1)
_FIRST_BACKOFF = timedelta(minutes=1)
_MOST_SPREAD = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a model fares, what it cost today, and how often a turn waited for it."""

    failures: int = 0
    bad_replies: int = 0
    waiting_since: datetime | None = None
    not_before: datetime | None = None
    opened_at: datetime | None = None
    next_probe_at: datetime | None = None
    paused_until: datetime | None = None
    tokens_of_user: int = 0
    tokens_of_all: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens of a day, for one person and for all; 0 is no limit."""

    of_user: int = 0
    of_all: int = 0


@dataclass(frozen=True, slots=True)
class Ask:
    """The model may be asked; as a probe where it last locked us out."""

    probe: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """The turn waits and comes back at ``until``; for a failure of its own, it is not asked about before."""

    until: datetime
    failures: int = 0
    bad_replies: int = 0


@dataclass(frozen=True, slots=True)
class UseRules:
    """The model will not read this turn; rules do."""

    why: Literal["away", "bad_replies", "waited", "locked_out", "over_budget"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt came to nothing, and how long the endpoint wants to be left alone."""

    kind: Literal["busy", "locked_out", "bad_reply"]
    retry_after: float | None = None


def decide(standing: Standing, budget: Budget, now: datetime, spread: float = 0.0) -> Ask | Wait | UseRules:
    """Whether the model may be asked about a turn now."""
    if _given_up(standing, now):
        return UseRules("waited")
    if 0 < budget.of_user <= standing.tokens_of_user or 0 < budget.of_all <= standing.tokens_of_all:
        return UseRules("over_budget")
    if standing.not_before is not None and standing.not_before > now:
        return Wait(standing.not_before)
    if standing.paused_until is not None and standing.paused_until > now:
        return Wait(standing.paused_until + spread * _MOST_SPREAD)
    return _by_circuit(standing, now, spread)


def _by_circuit(standing: Standing, now: datetime, spread: float) -> Ask | Wait | UseRules:
    """A closed circuit lets everybody through; an open one, a probe at a time."""
    if standing.next_probe_at is None:
        return Ask()
    if standing.next_probe_at <= now:
        return Ask(probe=True)
    return UseRules("locked_out") if _locked_for_long(standing, now) else between_probes(now, spread)


def after(failure: Failure, standing: Standing, now: datetime, spread: float = 0.0) -> Wait | UseRules:
    """What becomes of a turn whose attempt came to nothing."""
    if failure.kind == "locked_out":
        return UseRules("locked_out") if _locked_for_long(standing, now) else between_probes(now, spread)
    if failure.kind == "bad_reply":
        if standing.bad_replies >= RETRIES_BAD_REPLY:
            return UseRules("bad_replies")
        return Wait(now + _backoff(standing.bad_replies, spread), bad_replies=1)
    if standing.failures >= RETRIES_AWAY:
        return UseRules("away")
    if failure.retry_after is None:
        return Wait(now + _backoff(standing.failures, spread), failures=1)
    told = timedelta(seconds=max(1.0, failure.retry_after))
    return Wait(now + told + spread * min(told, _MOST_SPREAD), failures=1)


def between_probes(now: datetime, spread: float) -> Wait:
    """Until the next probe, or a little after it, for somebody else may make it."""
    return Wait(now + PROBE_EVERY + spread * _MOST_SPREAD)


def _given_up(standing: Standing, now: datetime) -> bool:
    """Whether a turn has waited its day, or was to be read by rules already."""
    long = standing.waiting_since is not None and now - standing.waiting_since >= PATIENCE
    return long or standing.failures > RETRIES_AWAY or standing.bad_replies > RETRIES_BAD_REPLY


def _locked_for_long(standing: Standing, now: datetime) -> bool:
    return standing.opened_at is not None and now - standing.opened_at >= PATIENCE


def _backoff(times: int, spread: float) -> timedelta:
    """Twice as long each time, and up to half as long again."""
    return _FIRST_BACKOFF * float(2**times) * (1 + spread / 2)
