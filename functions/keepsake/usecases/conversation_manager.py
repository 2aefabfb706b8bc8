"""A person's settings for one conversation: the profile that memories belong to, and whether memory is on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from keepsake.errors import Conflict, InvalidInput, NotFound
from keepsake.identity import Person
from keepsake.infra.database import Connection, become_service, hidden_when_denied
from keepsake.infra.resources import Resources
from keepsake.store import participant_choices
from keepsake.store.participant_choices import Choice


async def choose_profile(
    resources: Resources, person: Person, *, conversation_id: UUID, profile_id: UUID | None
) -> Choice:
    """Choose one's primary profile for a conversation; None clears the choice, and with it memory there."""
    async with _visible_conversation(resources, person, conversation_id) as (conn, _):
        if profile_id is not None:
            with hidden_when_denied():
                primary = await participant_choices.is_primary(conn, profile_id=profile_id, user_id=person.user_id)
            if primary is None:
                raise NotFound("There is no such profile, or it is not yours.")
            if not primary:
                raise Conflict("Memory belongs to the primary profile, and this is another.")
        return await _set_profile(conn, person, conversation_id, profile_id)


async def link_primary_profile(resources: Resources, person: Person, *, conversation_id: UUID) -> Choice:
    """Choose the primary profile automatically, in a conversation of the mode ``profile``."""
    async with _visible_conversation(resources, person, conversation_id) as (conn, mode):
        if mode != "profile":
            raise InvalidInput("The request body is not valid.", details="profile_id: Field required")
        with hidden_when_denied():
            primary = await participant_choices.primary_profile(conn, user_id=person.user_id)
        return await _set_profile(conn, person, conversation_id, primary)


async def set_memory_enabled(
    resources: Resources, person: Person, *, conversation_id: UUID, memory_enabled: bool | None
) -> Choice:
    """Turn memory on or off for a conversation; None is the default of its mode."""
    async with _visible_conversation(resources, person, conversation_id) as (conn, _):
        await become_service(conn)
        choice = await participant_choices.choose_memory(
            conn, conversation_id=conversation_id, user_id=person.user_id, memory_enabled=memory_enabled
        )
        return _require_participant(choice)


@asynccontextmanager
async def _visible_conversation(
    resources: Resources, person: Person, conversation_id: UUID
) -> AsyncIterator[tuple[Connection, str]]:
    """A transaction with the person's rights in which the conversation is visible, with its mode."""
    async with resources.database.as_user(person) as conn:
        with hidden_when_denied():
            mode = await participant_choices.visible_mode(conn, conversation_id=conversation_id)
        if mode is None:
            raise NotFound("There is no such conversation, or it is not yours.")
        yield conn, mode


async def _set_profile(conn: Connection, person: Person, conversation_id: UUID, profile_id: UUID | None) -> Choice:
    await become_service(conn)
    choice = await participant_choices.choose_profile(
        conn, conversation_id=conversation_id, user_id=person.user_id, profile_id=profile_id
    )
    return _require_participant(choice)


def _require_participant(choice: Choice | None) -> Choice:
    if choice is None:
        raise NotFound("There is no such conversation, or it is not yours.")
    return choice
