"""Finds the memories that a command is about: the current ones to tell, and those in every state to forget."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.commands.match_subject import is_reference, memories_about, names_in, search_words
from keepsake.domain.entities.entity import keys_named
from keepsake.domain.memory import Memory
from keepsake.store import chat_commands, entities
from keepsake.store.operations import MemoryWriter


async def find_memories_about(writer: MemoryWriter, subject: str | None) -> list[Memory]:
    """The current memories about a subject, or all of them where there is none, most important first."""
    current = await chat_commands.current_memories(
        writer.conn,
        user_id=writer.user_id,
        profile_id=writer.profile_id,
        persona_id=writer.origin.persona_id,
        words=search_words(subject or ""),
        now=writer.now,
    )
    if subject is None:
        return [memory for memory, _ in current]
    return await _match(writer, subject, current)


async def find_all_about(writer: MemoryWriter, subject: str | None) -> list[Memory]:
    """The same in every state, with what they superseded; a reference means that one alone."""
    known = await chat_commands.remembered(writer, words=search_words(subject or ""))
    if subject is None:
        return [memory for memory, _ in known]
    found = await _match(writer, subject, known)
    if not found or is_reference(subject):
        return found
    return found + await chat_commands.predecessors(writer, [memory.id for memory in found])


async def _match(writer: MemoryWriter, subject: str, known: Sequence[tuple[Memory, bool]]) -> list[Memory]:
    """Those of the memories that are about a subject, by its words or a name of its entity."""
    named = await entities.find_entities(writer.conn, user_id=writer.user_id, profile_id=writer.profile_id)
    aliases = {key for name in names_in(subject) for key in keys_named(name, named)}
    return memories_about(subject, known, said_at=writer.origin.said_at, aliases=aliases)
