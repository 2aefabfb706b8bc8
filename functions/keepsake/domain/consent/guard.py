"""The consent guard: decides whether a message may become memories, and whether memories may be injected for it.

Only a person's own message becomes memories, under their primary profile, where and since they allowed it.
"""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.reading.commands import Command, recognize


class GuardReason(StrEnum):
    """Why nothing is extracted from a turn, or nothing is injected for it."""

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


_WORD = re.compile(r"\w")


def guard_extraction(turn: TurnContext) -> GuardReason | None:
    """The rule that forbids extraction from this turn, or None."""
    if turn.role != "user" or turn.author is None:
        return GuardReason.NOT_A_USER_MESSAGE
    if reason := _check_conversation(turn):
        return reason
    if not (turn.consent.building and turn.consent.enabled):
        return GuardReason.PAUSED
    if is_before_consent(turn):
        return GuardReason.BEFORE_CONSENT
    if not _WORD.search(turn.text):
        return GuardReason.NO_WORDS
    command = command_in(turn)
    return GuardReason.COMMAND if command is not None and not command.is_ambiguous else None


def command_in(turn: TurnContext) -> Command | None:
    """The command that a message is; an ambiguous one is none where it refers to nothing, and is read then."""
    return recognize(turn.text, turn.assistant_names)


def is_before_consent(turn: TurnContext) -> bool:
    """Whether the message is never read, as it was said before memory was on there, or before an erasure."""
    return _is_before(turn.said_at, turn.consent.remember_since) or _is_before(turn.said_at, turn.consent.erased_before)


def guard_injection(turn: TurnContext) -> GuardReason | None:
    """The rule that forbids injection for this turn, or None. A pause does not forbid it."""
    if turn.role != "user" or turn.author is None:
        return GuardReason.NOT_A_USER_MESSAGE
    if not turn.consent.enabled:
        return GuardReason.DISABLED
    return _check_conversation(turn)


def _check_conversation(turn: TurnContext) -> GuardReason | None:
    """The rule by which the author's choices for this conversation forbid memory, or None."""
    if turn.profile_id is None or turn.consent.profile_owner is None:
        return GuardReason.NO_PROFILE
    if turn.consent.profile_owner != turn.author:
        return GuardReason.NOT_OWNER
    if not turn.consent.is_primary:
        return GuardReason.NOT_PRIMARY
    if turn.consent.memory_enabled is False:
        return GuardReason.CONVERSATION_OFF
    if turn.consent.memory_enabled is None and turn.mode == "swiss":
        return GuardReason.SWISS_OFF
    return None


def _is_before(moment: datetime, start: datetime | None) -> bool:
    return start is not None and moment < start
