"""When the model is asked about a turn, when the turn waits, and when rules read it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from keepsake.domain.model_availability import (
    BAD_REPLIES,
    CallFailure,
    CallModel,
    EndpointHealth,
    Fallback,
    RetryAt,
    TokenBudget,
    decide_call,
    decide_retry,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
OPEN = EndpointHealth(opened_at=NOW - MINUTE, next_probe_at=NOW + MINUTE)
NO_LIMIT = TokenBudget()


@pytest.mark.parametrize(
    "known, verdict",
    [
        ({}, CallModel()),
        ({"failures": 5}, CallModel()),
        ({"failures": 6}, Fallback("waited")),
        ({"bad_replies": 3}, Fallback("waited")),
        ({"not_before": NOW}, CallModel()),
        ({"not_before": NOW + SECOND}, RetryAt(NOW + SECOND)),
        ({"paused_until": NOW}, CallModel()),
        ({"paused_until": NOW + SECOND}, RetryAt(NOW + SECOND)),
        ({"opened_at": NOW - MINUTE, "next_probe_at": NOW}, CallModel(probe=True)),
        ({"opened_at": NOW - MINUTE, "next_probe_at": NOW + SECOND}, RetryAt(NOW + MINUTE)),
        ({"opened_at": NOW - DAY, "next_probe_at": NOW + SECOND}, Fallback("locked_out")),
        ({"opened_at": NOW - DAY, "next_probe_at": NOW}, CallModel(probe=True)),
        ({"waiting_since": NOW - DAY + SECOND}, CallModel()),
        ({"waiting_since": NOW - DAY, "opened_at": NOW, "next_probe_at": NOW}, Fallback("waited")),
        ({"waiting_since": NOW - DAY, "not_before": NOW + DAY}, Fallback("waited")),
    ],
)
def test_decide(known: dict[str, Any], verdict: CallModel | RetryAt | Fallback) -> None:
    assert decide_call(EndpointHealth(**known), NO_LIMIT, NOW) == verdict


@pytest.mark.parametrize(
    "budget, spent, within",
    [
        (TokenBudget(), (10**9, 10**9), True),
        (TokenBudget(per_person=100), (99, 10**9), True),
        (TokenBudget(per_person=100), (100, 0), False),
        (TokenBudget(for_all=100), (10**9, 99), True),
        (TokenBudget(for_all=100), (0, 100), False),
    ],
)
def test_token_budget__when_spent_rules_extract(budget: TokenBudget, spent: tuple[int, int], *, within: bool) -> None:
    health = EndpointHealth(tokens_of_person=spent[0], tokens_of_all=spent[1])
    assert decide_call(health, budget, NOW) == (CallModel() if within else Fallback("over_budget"))


def test_away__backs_off_then_rules() -> None:
    waits = [decide_retry(CallFailure("busy"), EndpointHealth(failures=n), NOW) for n in range(7)]
    assert waits[:5] == [RetryAt(NOW + MINUTE * 2**n, failures=1) for n in range(5)]
    assert waits[5:] == [Fallback("away")] * 2


@pytest.mark.parametrize("kind, why", [("bad_reply", "bad_replies"), ("refused_request", "refused_request")])
def test_what_concerns_one_turn__ends_for_it_at_once(
    kind: Literal["bad_reply", "refused_request"], why: Literal["bad_replies", "refused_request"]
) -> None:
    assert decide_retry(CallFailure(kind), EndpointHealth(), NOW) == Fallback(why)


def test_a_model_set_aside__is_not_waited_for_and_tried_again_later() -> None:
    aside = replace(OPEN, reason=BAD_REPLIES, next_probe_at=NOW + MINUTE)
    assert decide_call(aside, TokenBudget(), NOW) == Fallback("quarantined")
    assert decide_call(aside, TokenBudget(), NOW + MINUTE) == CallModel(probe=True)


def test_unauthorized__is_retried_for_a_day_without_counting() -> None:
    assert decide_retry(CallFailure("locked_out"), replace(OPEN, failures=9), NOW) == RetryAt(NOW + MINUTE)
    assert decide_retry(CallFailure("locked_out"), replace(OPEN, opened_at=NOW - DAY), NOW) == Fallback("locked_out")


@pytest.mark.parametrize("told, least", [(90.0, 90.0), (0.0, 1.0), (86400.0, 86400.0)])
def test_retry_after__is_kept_and_spread_a_little(told: float, least: float) -> None:
    for jitter in (0.0, 0.5, 1.0):
        wait = decide_retry(CallFailure("busy", told), EndpointHealth(), NOW, jitter)
        assert isinstance(wait, RetryAt)
        assert least <= (wait.until - NOW).total_seconds() <= least + 30


@pytest.mark.parametrize("kind", ["busy", "locked_out"])
def test_chance__spreads_those_who_wait(kind: Literal["busy", "locked_out"]) -> None:
    waits = [decide_retry(CallFailure(kind), OPEN, NOW, jitter / 10) for jitter in range(11)]
    assert len({wait.until for wait in waits if isinstance(wait, RetryAt)}) == 11
