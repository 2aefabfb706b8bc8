"""The consent guard: whether a message may become memories, and whether memories may be injected.

Memories are made only from a person's own message, under their own primary profile, where and since they allowed it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from keepsake.domain.commands.recognize import recognize


class GuardReason(StrEnum):
    """Why a message makes no memories, or gets none."""

    NO_PROFILE = "no_profile"
    NOT_PRIMARY = "not_primary"
    NOT_OWNER = "not_owner"
    PAUSED = "paused"
    DISABLED = "disabled"
    CONVERSATION_OFF = "conversation_off"
    SWISS_OFF = "swiss_off"
    BEFORE_CONSENT = "before_consent"
    NOT_A_USER_MESSAGE = "not_a_user_message"
    COMMAND = "command"
    NO_WORDS = "empty"
    DEADLINE = "deadline"


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """What the rules need to know of a message and of its author's consent."""

    role: str
    author: UUID | None
    said_at: datetime
    text: str
    mode: str
    profile_id: UUID | None
    profile_owner: UUID | None
    is_primary: bool
    memory_enabled: bool | None
    remember_since: datetime | None
    building: bool
    enabled: bool
    erased_before: datetime | None


_WORD = re.compile(r"\w")


def guard_extraction(facts: TurnFacts) -> GuardReason | None:
    """The reason that forbids making memories from the message, or None."""
    if facts.role != "user" or facts.author is None:
        return GuardReason.NOT_A_USER_MESSAGE
    if reason := _check_conversation(facts):
        return reason
    if not (facts.building and facts.enabled):
        return GuardReason.PAUSED
    if _is_before(facts.said_at, facts.remember_since) or _is_before(facts.said_at, facts.erased_before):
        return GuardReason.BEFORE_CONSENT
    if not _WORD.search(facts.text):
        return GuardReason.NO_WORDS
    return GuardReason.COMMAND if recognize(facts.text) else None


def guard_injection(facts: TurnFacts) -> GuardReason | None:
    """The reason that forbids injecting memories, or None; a pause forbids nothing here."""
    if facts.role != "user" or facts.author is None:
        return GuardReason.NOT_A_USER_MESSAGE
    if not facts.enabled:
        return GuardReason.DISABLED
    return _check_conversation(facts)


def _check_conversation(facts: TurnFacts) -> GuardReason | None:
    """The reason in the conversation: its profile is not the author's primary one, or memory is off in it."""
    if facts.profile_id is None or facts.profile_owner is None:
        return GuardReason.NO_PROFILE
    if facts.profile_owner != facts.author:
        return GuardReason.NOT_OWNER
    if not facts.is_primary:
        return GuardReason.NOT_PRIMARY
    if facts.memory_enabled is False:
        return GuardReason.CONVERSATION_OFF
    if facts.memory_enabled is None and facts.mode == "swiss":
        return GuardReason.SWISS_OFF
    return None


def _is_before(moment: datetime, start: datetime | None) -> bool:
    return start is not None and moment < start
