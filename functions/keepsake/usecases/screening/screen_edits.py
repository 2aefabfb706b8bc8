"""Screens the edits of a person: a rejected one is undone, and the next context tells the person why."""

from __future__ import annotations

from uuid import UUID

from keepsake.domain.screening.screen import rejection_of_text
from keepsake.infra.database import Profile
from keepsake.infra.dependencies import Resources
from keepsake.store import unscreened_edits
from keepsake.store.locks import lock_out_erasure
from keepsake.store.unscreened_edits import RejectedEdit, UnscreenedEdit

_MAX_ROUNDS = 20
"""Edits of one memory that are undone one after another; with more, the rest waits for the next request."""

_REASONS = {
    "secret": "it holds something secret",
    "instruction": "it gives orders to the assistant",
    "financial_amount": "it names an amount of money that is never stored",
}


async def screen_edits(resources: Resources, user_id: UUID) -> None:
    """Screen the edits of a person in a transaction of its own, newest first, until each text passes."""
    async with resources.database.as_service(Profile.LOCKING) as conn:
        if not await unscreened_edits.list_edits(conn, user_id=user_id):
            return
        await lock_out_erasure(conn, user_id=user_id)
        for _ in range(_MAX_ROUNDS):
            edits = await unscreened_edits.list_edits(conn, user_id=user_id)
            newest = {edit.memory_id: edit for edit in reversed(edits)}
            for edit in newest.values():
                rejection = _rejection(edit)
                if rejection is None:
                    await unscreened_edits.accept_edits(conn, edit, user_id=user_id)
                else:
                    await unscreened_edits.reject_edit(conn, edit, rejection, user_id=user_id)
            if not newest:
                return


def rejection_notice(rejected: list[RejectedEdit]) -> str | None:
    """What the assistant tells the person about rejected edits."""
    if not rejected:
        return None
    parts = [f"the edit of {one.ref} was undone: {_REASONS.get(one.rejection, 'it is malformed')}" for one in rejected]
    return f"Tell the person that {'; '.join(parts)}."


def _rejection(edit: UnscreenedEdit) -> str | None:
    if edit.is_deleted:
        return None
    return rejection_of_text(edit.text) or (rejection_of_text(edit.persona_id) if edit.persona_id else None)
