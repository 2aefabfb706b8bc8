"""Decides whether the summary of a conversation is to be written, and how many messages it then covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.summaries.conversation_sources import ConversationSources


@dataclass(frozen=True, slots=True)
class KeepSummary:
    """The stored summary, or none, is right."""


@dataclass(frozen=True, slots=True)
class DeleteSummary:
    """Nothing of the conversation may be summarized."""


@dataclass(frozen=True, slots=True)
class WriteSummary:
    """The summary is to be written, and covers this many messages."""

    messages_covered: int


SummaryPlan = KeepSummary | DeleteSummary | WriteSummary


def plan_summary(
    sources: ConversationSources,
    stored_ids: Sequence[UUID] | None,
    *,
    messages_covered: int,
    min_turns: int,
    is_window_full: bool,
    is_over: bool = False,
) -> SummaryPlan:
    """What to do with the stored summary, which rests on ``stored_ids`` (None: there is none).

    It is written after ``min_turns`` more turns, after any where the session is over (``is_over``), and where a message
    that it rests on may not be summarized any more. Of a long conversation (``is_window_full``) only the newest
    messages are looked at.
    """
    if not sources.turns:
        return KeepSummary() if stored_ids is None else DeleteSummary()
    known = set(stored_ids or ())
    current = set(sources.message_ids)
    if known - current and not is_window_full:
        return WriteSummary(len(current))
    count = len(current - known)
    return WriteSummary(messages_covered + count) if count >= (1 if is_over else min_turns) else KeepSummary()
