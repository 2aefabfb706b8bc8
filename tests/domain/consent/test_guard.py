"""The rules that decide whether a turn makes memories, and whether it is given any, one by one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.consent.guard import Reason, guard_extraction, guard_injection
from keepsake.domain.consent.turn import Consent, TurnContext
from keepsake.domain.memory import MemoryType

ADA, BOB = UUID(int=1), UUID(int=2)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
CONSENT = Consent(
    profile_owner=ADA,
    is_primary=True,
    memory_enabled=None,
    remember_since=None,
    building=True,
    enabled=True,
    erased_before=None,
    allowed_types=frozenset(MemoryType),
)
ALLOWED = TurnContext(
    author=ADA,
    profile_id=UUID(int=3),
    conversation_id=UUID(int=4),
    mode="chat",
    persona_id=None,
    message_id=UUID(int=5),
    turn_index=None,
    role="user",
    text="I live in Graz.",
    said_at=NOON,
    timezone=None,
    consent=CONSENT,
)

CASES: list[tuple[dict[str, Any], Reason | None, Reason | None]] = [
    ({}, None, None),
    ({"role": "assistant"}, Reason.NOT_A_USER_MESSAGE, Reason.NOT_A_USER_MESSAGE),
    ({"role": "tool"}, Reason.NOT_A_USER_MESSAGE, Reason.NOT_A_USER_MESSAGE),
    ({"author": None}, Reason.NOT_A_USER_MESSAGE, Reason.NOT_A_USER_MESSAGE),
    ({"profile_id": None}, Reason.NO_PROFILE, Reason.NO_PROFILE),
    ({"profile_owner": None}, Reason.NO_PROFILE, Reason.NO_PROFILE),
    ({"profile_owner": BOB}, Reason.NOT_OWNER, Reason.NOT_OWNER),
    ({"is_primary": False}, Reason.NOT_PRIMARY, Reason.NOT_PRIMARY),
    ({"memory_enabled": False}, Reason.CONVERSATION_OFF, Reason.CONVERSATION_OFF),
    ({"memory_enabled": True}, None, None),
    ({"mode": "swiss"}, Reason.SWISS_OFF, Reason.SWISS_OFF),
    ({"mode": "swiss", "memory_enabled": True}, None, None),
    ({"mode": "together"}, None, None),
    ({"building": False}, Reason.PAUSED, None),
    ({"enabled": False}, Reason.PAUSED, Reason.DISABLED),
    ({"remember_since": NOON}, None, None),
    ({"remember_since": NOON + timedelta(microseconds=1)}, Reason.BEFORE_CONSENT, None),
    ({"erased_before": NOON + timedelta(microseconds=1)}, Reason.BEFORE_CONSENT, None),
    ({"text": ""}, Reason.EMPTY, None),
    ({"text": " \n…!? 🙂"}, Reason.EMPTY, None),
]


@pytest.mark.parametrize("changed, extraction, injection", CASES)
def test_guard(changed: dict[str, Any], extraction: Reason | None, injection: Reason | None) -> None:
    """What forbids extraction, and what forbids injection: a pause, or words from before, do not."""
    choices = {name: value for name, value in changed.items() if name in Consent.__slots__}
    rest = {name: value for name, value in changed.items() if name not in choices}
    turn = replace(ALLOWED, **rest, consent=replace(CONSENT, **choices))
    assert guard_extraction(turn) == extraction
    assert guard_injection(turn) == injection


@pytest.mark.parametrize(
    "text",
    [
        "Forget that.",
        "forget everything about Berlin",
        "Please forget what I said about my job",
        "Don't remember this",
        "Don’t remember this: I live in Graz.",
        "What do you remember about me?",
        "Hey, what do you know about Anna?",
        "Can you forget that I live in Graz?",
    ],
)
def test_a_command__is_no_statement(text: str) -> None:
    assert guard_extraction(replace(ALLOWED, text=text)) is Reason.COMMAND


@pytest.mark.parametrize(
    "text",
    [
        "I forget everything.",
        "I never forget a face.",
        "I don't remember names well.",
        "My mother taught me to forget nothing.",
        "You forget that I live in Graz.",
    ],
)
def test_a_statement_with_such_words__is_no_command(text: str) -> None:
    assert guard_extraction(replace(ALLOWED, text=text)) is None
