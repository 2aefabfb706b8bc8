"""Screens the edits of a person: a rejected one is undone, and the next context tells the person why."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.extraction.rules.key_of_text import key_of
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.infra.database import Profile
from keepsake.infra.dependencies import Resources
from keepsake.store import unscreened_edits
from keepsake.store.locks import lock_all_profiles, lock_memories, lock_out_erasure
from keepsake.store.unscreened_edits import RejectedEdit, UnscreenedEdit

_MAX_ROUNDS = 20
"""Edits of one memory that are undone one after another; with more, the rest waits for the next request."""

_REASONS = {
    "secret": "it holds something secret",
    "instruction": "it gives orders to the assistant",
    "financial_amount": "it names an amount of money that is never stored",
}


async def screen_edits(resources: Resources, user_id: UUID) -> None:
    """Screen the edits of a person, newest first, until each text passes; one that does is read for its key.

    What was read is written in a transaction of its own, and holds only for a memory that is still the same.
    """
    for _ in range(_MAX_ROUNDS):
        async with resources.database.as_service() as conn:
            edits = await unscreened_edits.list_edits(conn, user_id=user_id)
        if not edits:
            return
        newest = {edit.memory_id: edit for edit in reversed(edits)}
        screened = [await _screen(resources, edit) for edit in newest.values()]
        async with resources.database.as_service(Profile.LOCKING) as conn:
            await lock_out_erasure(conn, user_id=user_id)
            await lock_all_profiles(conn, user_id=user_id)
            await lock_memories(conn, user_id=user_id, ids=list(newest), even_one=True)
            for one in screened:
                if one.rejection is None:
                    await unscreened_edits.accept_edits(conn, one.edit, one.key, user_id=user_id)
                else:
                    await unscreened_edits.reject_edit(conn, one.edit, one.rejection, user_id=user_id)


def rejection_notice(rejected: list[RejectedEdit]) -> str | None:
    """What the assistant tells the person about rejected edits."""
    if not rejected:
        return None
    parts = [f"the edit of {one.ref} was undone: {_REASONS.get(one.rejection, 'it is malformed')}" for one in rejected]
    return f"Tell the person that {'; '.join(parts)}."


@dataclass(frozen=True, slots=True)
class _Screened:
    """An edit with the reason why it is rejected, or else with the key and value of its text where it has them."""

    edit: UnscreenedEdit
    rejection: str | None = None
    key: tuple[str, str] | None = None


async def _screen(resources: Resources, edit: UnscreenedEdit) -> _Screened:
    rejection = rejection_of_text(edit.text) or (rejection_of_text(edit.persona_id) if edit.persona_id else None)
    if rejection is not None or edit.has_key:
        return _Screened(edit, rejection)
    return _Screened(edit, key=await resources.readers.run_or(None, key_of, edit.text))
