"""The messages of a person that nobody has read yet, each with what the consent guard says about it.

A refused message is left as it is: nothing is written about it, so that it can still be read when the person allows it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from keepsake.domain.consent.guard import GuardReason, guard_extraction
from keepsake.infra.resources import Resources
from keepsake.store import turns, unread_messages
from keepsake.store.unread_messages import START, Position, UnreadMessage

_PAGE = 200


@dataclass(slots=True)
class UnreadCount:
    """How many messages of a person are to be read, were refused by the guard, and are finished, by reason."""

    to_read: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    finished: Counter[str | None] = field(default_factory=Counter)


async def find_unread_turns(
    resources: Resources, user_id: UUID, *, since: datetime, after: Position
) -> list[tuple[UnreadMessage, GuardReason | None]]:
    """The next messages of the person without a finished extraction, oldest first, and why one is not to be read."""
    now, names = await resources.synchronized_now(), resources.settings.assistant_name_list
    async with resources.database.as_service() as conn:
        found = await unread_messages.find_unread(conn, user_id=user_id, since=since, after=after, limit=_PAGE)
        read = await turns.read_all(conn, [message.turn for message in found], now=now, assistant_names=names)
    reasons = {turn.message_id: guard_extraction(turn) for turn in read}
    return [(message, reasons[message.message_id]) for message in found if message.message_id in reasons]


async def count_unread_turns(resources: Resources, user_id: UUID, *, since: datetime) -> UnreadCount:
    """Count the person's messages; nothing is written."""
    count, after = UnreadCount(), START
    async with resources.database.as_service() as conn:
        count.finished.update(await unread_messages.count_finished(conn, user_id=user_id, since=since))
    while page := await find_unread_turns(resources, user_id, since=since, after=after):
        after = page[-1][0].position
        count.to_read += sum(reason is None for _, reason in page)
        count.refused.update(reason.value for _, reason in page if reason)
    return count
