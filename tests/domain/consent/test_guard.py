"""The rules that decide whether a turn makes memories, and whether it is given any, one by one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from keepsake.domain.consent.guard import GuardReason, guard_extraction, guard_injection
from keepsake.domain.consent.turn_context import Consent, TurnContext
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

CASES: list[tuple[dict[str, Any], GuardReason | None, GuardReason | None]] = [
    ({}, None, None),
    ({"role": "assistant"}, GuardReason.NOT_A_USER_MESSAGE, GuardReason.NOT_A_USER_MESSAGE),
    ({"role": "tool"}, GuardReason.NOT_A_USER_MESSAGE, GuardReason.NOT_A_USER_MESSAGE),
    ({"author": None}, GuardReason.NOT_A_USER_MESSAGE, GuardReason.NOT_A_USER_MESSAGE),
    ({"profile_id": None}, GuardReason.NO_PROFILE, GuardReason.NO_PROFILE),
    ({"profile_owner": None}, GuardReason.NO_PROFILE, GuardReason.NO_PROFILE),
    ({"profile_owner": BOB}, GuardReason.NOT_OWNER, GuardReason.NOT_OWNER),
    ({"is_primary": False}, GuardReason.NOT_PRIMARY, GuardReason.NOT_PRIMARY),
    ({"memory_enabled": False}, GuardReason.CONVERSATION_OFF, GuardReason.CONVERSATION_OFF),
    ({"memory_enabled": True}, None, None),
    ({"mode": "swiss"}, GuardReason.SWISS_OFF, GuardReason.SWISS_OFF),
    ({"mode": "swiss", "memory_enabled": True}, None, None),
    ({"mode": "together"}, None, None),
    ({"building": False}, GuardReason.PAUSED, None),
    ({"enabled": False}, GuardReason.PAUSED, GuardReason.DISABLED),
    ({"remember_since": NOON}, None, None),
    ({"remember_since": NOON + timedelta(microseconds=1)}, GuardReason.BEFORE_CONSENT, None),
    ({"erased_before": NOON + timedelta(microseconds=1)}, GuardReason.BEFORE_CONSENT, None),
    ({"text": ""}, GuardReason.NO_WORDS, None),
    ({"text": " \n…!? 🙂"}, GuardReason.NO_WORDS, None),
]


@pytest.mark.parametrize("changed, extraction, injection", CASES)
def test_guard(changed: dict[str, Any], extraction: GuardReason | None, injection: GuardReason | None) -> None:
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
        "Hey, what do you know about me?",
        "Please forget that I live in Graz.",
    ],
)
def test_a_command__is_no_statement(text: str) -> None:
    assert guard_extraction(replace(ALLOWED, text=text)) is GuardReason.COMMAND


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
