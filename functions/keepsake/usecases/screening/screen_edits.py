"""Screens the edits of a person: a rejected one is undone, and the next context tells the person why."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.reading.statements import keys_of
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store import unscreened_edits
from keepsake.store.locks import lock_all_profiles, lock_memories, lock_out_erasure
from keepsake.store.unscreened_edits import Key, RejectedEdit, UnscreenedEdit
from keepsake.usecases.screening.classify_sentences import classify_texts

_MAX_ROUNDS = 20
"""Edits of one memory that are undone one after another; with more, the rest waits for the next request."""

_EDITS_A_ROUND = 200

_REASONS = {
    "secret": "it holds something secret",
    "instruction": "it gives orders to the assistant",
    "financial_amount": "it names an amount of money that is never stored",
}


async def screen_edits(resources: Resources, user_id: UUID) -> None:
    """Screen the edits of a person, the newest of each memory; where it is rejected, the one before it too.

    What was read is written in one transaction, and holds only for a memory that is still the same: one that was edited
    again meanwhile is shown to no model, and waits for the next call.
    """
    for _ in range(_MAX_ROUNDS):
        async with resources.database.as_service() as conn:
            edits = await unscreened_edits.list_edits(conn, user_id=user_id, limit=_EDITS_A_ROUND)
        newest = {edit.memory_id: edit for edit in reversed(edits)}
        rejected = await _rejections(resources, list(newest.values()))
        accepted = [edit for edit in newest.values() if edit not in rejected]
        keys = await _keys(resources, [edit for edit in accepted if not edit.has_key])
        if edits:
            async with resources.database.as_service(Profile.LOCKING) as conn:
                await lock_out_erasure(conn, user_id=user_id)
                await lock_all_profiles(conn, user_id=user_id)
                others = await unscreened_edits.list_with_keys(conn, keys.values(), user_id=user_id)
                await lock_memories(conn, user_id=user_id, ids=[*newest, *others], even_one=True)
                for edit, rejection in rejected.items():
                    await unscreened_edits.reject_edit(conn, edit, rejection, user_id=user_id)
                await unscreened_edits.accept_edits(conn, accepted, user_id=user_id)
                await unscreened_edits.store_keys(conn, keys, user_id=user_id, now=resources.clock.now())
        if not rejected and len(edits) < _EDITS_A_ROUND:
            return


def rejection_notice(rejected: list[RejectedEdit]) -> str | None:
    """What the assistant tells the person about rejected edits."""
    if not rejected:
        return None
    parts = [f"the edit of {one.ref} was undone: {_REASONS.get(one.rejection, 'it is malformed')}" for one in rejected]
    return f"Tell the person that {'; '.join(parts)}."


async def _rejections(resources: Resources, edits: Sequence[UnscreenedEdit]) -> dict[UnscreenedEdit, str]:
    """The edits that may not stay, each with the reason."""
    by_words = {edit: reason for edit in edits if (reason := _rejection(edit)) is not None}
    by_model = await classify_texts(resources.embedder, [edit.text for edit in edits if edit not in by_words])
    return by_words | {edit: by_model[edit.text] for edit in edits if edit.text in by_model}


def _rejection(edit: UnscreenedEdit) -> str | None:
    return rejection_of_text(edit.text) or (rejection_of_text(edit.persona_id) if edit.persona_id else None)


async def _keys(resources: Resources, edits: Sequence[UnscreenedEdit]) -> dict[UnscreenedEdit, Key]:
    """The key and value of each of these texts that has them."""
    if not edits:
        return {}
    unread: list[Key | None] = [None] * len(edits)
    keys = await resources.readers.run_or(unread, keys_of, [edit.text for edit in edits])
    return {edit: key for edit, key in zip(edits, keys, strict=True) if key is not None}
