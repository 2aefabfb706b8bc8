"""How long a summary waits for the model: its rules form is stored meanwhile, and replaced when the model answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from keepsake.domain.model_availability import MAX_BAD_REPLIES, CallFailure, RetryAt

MAX_WAIT = timedelta(days=7)
"""The longest time a summary waits; then its rules form stays."""

_FIRST_PAUSE, _MAX_PAUSE = timedelta(minutes=5), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ModelWait:
    """Failed calls of the model for one summary, and since when it waits for the model."""

    model_failures: int = 0
    bad_replies: int = 0
    waiting_since: datetime | None = None


def delay_retry(retry: RetryAt, now: datetime, jitter: float) -> RetryAt:
    """When to try again a summary that could not be asked about: not as soon as a message, for there may be many."""
    return RetryAt(max(retry.until, now + _FIRST_PAUSE * (1 + jitter)))


def decide_summary_retry(failure: CallFailure, wait: ModelWait, now: datetime, jitter: float = 0.0) -> RetryAt | None:
    """When a failed call is made again, with what to count; None where the rules form stays."""
    if failure.kind == "refused_request":
        return None
    if failure.kind == "bad_reply":
        is_last = wait.bad_replies >= MAX_BAD_REPLIES
        return None if is_last else RetryAt(now + _pause(wait.bad_replies, jitter), bad_replies=1)
    if wait.waiting_since is not None and now - wait.waiting_since >= MAX_WAIT:
        return None
    pause = max(_pause(wait.model_failures, jitter), timedelta(seconds=failure.retry_after or 0))
    return RetryAt(now + pause, failures=1)


def _pause(earlier: int, jitter: float) -> timedelta:
    """Exponential backoff, with jitter of up to a half."""
    return min(_FIRST_PAUSE * float(2 ** min(earlier, 10)), _MAX_PAUSE) * (1 + jitter / 2)
