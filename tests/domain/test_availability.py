"""When the model is asked about a turn, when the turn waits, and when rules read it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from keepsake.domain.availability import Ask, Budget, Failure, Standing, UseRules, Wait, after, decide

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
OPEN = Standing(opened_at=NOW - MINUTE, next_probe_at=NOW + MINUTE)
NO_LIMIT = Budget()


@pytest.mark.parametrize(
    "known, verdict",
    [
        ({}, Ask()),
        ({"failures": 5}, Ask()),
        ({"failures": 6}, UseRules("waited")),
        ({"bad_replies": 3}, UseRules("waited")),
        ({"not_before": NOW}, Ask()),
        ({"not_before": NOW + SECOND}, Wait(NOW + SECOND)),
        ({"paused_until": NOW}, Ask()),
        ({"paused_until": NOW + SECOND}, Wait(NOW + SECOND)),
        ({"opened_at": NOW - MINUTE, "next_probe_at": NOW}, Ask(probe=True)),
        ({"opened_at": NOW - MINUTE, "next_probe_at": NOW + SECOND}, Wait(NOW + MINUTE)),
        ({"opened_at": NOW - DAY, "next_probe_at": NOW + SECOND}, UseRules("locked_out")),
        ({"opened_at": NOW - DAY, "next_probe_at": NOW}, Ask(probe=True)),
        ({"waiting_since": NOW - DAY + SECOND}, Ask()),
        ({"waiting_since": NOW - DAY, "opened_at": NOW, "next_probe_at": NOW}, UseRules("waited")),
        ({"waiting_since": NOW - DAY, "not_before": NOW + DAY}, UseRules("waited")),
    ],
)
def test_decide(known: dict[str, Any], verdict: Ask | Wait | UseRules) -> None:
    assert decide(Standing(**known), NO_LIMIT, NOW) == verdict


@pytest.mark.parametrize(
    "budget, spent, within",
    [
        (Budget(), (10**9, 10**9), True),
        (Budget(of_user=100), (99, 10**9), True),
        (Budget(of_user=100), (100, 0), False),
        (Budget(of_all=100), (10**9, 99), True),
        (Budget(of_all=100), (0, 100), False),
    ],
)
def test_budget__once_spent_rules_read(budget: Budget, spent: tuple[int, int], *, within: bool) -> None:
    standing = Standing(tokens_of_user=spent[0], tokens_of_all=spent[1])
    assert decide(standing, budget, NOW) == (Ask() if within else UseRules("over_budget"))


def test_away__waits_longer_each_time_then_rules() -> None:
    waits = [after(Failure("busy"), Standing(failures=n), NOW) for n in range(7)]
    assert waits[:5] == [Wait(NOW + MINUTE * 2**n, failures=1) for n in range(5)]
    assert waits[5:] == [UseRules("away")] * 2


def test_bad_replies__wait_twice_then_rules() -> None:
    waits = [after(Failure("bad_reply"), Standing(bad_replies=n), NOW) for n in range(4)]
    assert waits[:2] == [Wait(NOW + MINUTE * 2**n, bad_replies=1) for n in range(2)]
    assert waits[2:] == [UseRules("bad_replies")] * 2


def test_locked_out__waits_without_counting_and_for_a_day() -> None:
    assert after(Failure("locked_out"), replace(OPEN, failures=9), NOW) == Wait(NOW + MINUTE)
    assert after(Failure("locked_out"), replace(OPEN, opened_at=NOW - DAY), NOW) == UseRules("locked_out")


@pytest.mark.parametrize("told, least", [(90.0, 90.0), (0.0, 1.0), (86400.0, 86400.0)])
def test_retry_after__is_kept_and_spread_a_little(told: float, least: float) -> None:
    for spread in (0.0, 0.5, 1.0):
        wait = after(Failure("busy", told), Standing(), NOW, spread)
        assert isinstance(wait, Wait)
        assert least <= (wait.until - NOW).total_seconds() <= least + 30


@pytest.mark.parametrize("kind", ["busy", "bad_reply", "locked_out"])
def test_chance__spreads_those_who_wait(kind: Literal["busy", "bad_reply", "locked_out"]) -> None:
    waits = [after(Failure(kind), OPEN, NOW, spread / 10) for spread in range(11)]
    assert len({wait.until for wait in waits if isinstance(wait, Wait)}) == 11
