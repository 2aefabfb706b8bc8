"""Finds the memories that a command is about: the current ones to tell, and those in every state to forget."""

from __future__ import annotations

from dataclasses import dataclass

from keepsake.domain.commands.match_subject import (
    EVERYTHING,
    memories_about,
    memory_number,
    names_in,
    search_past,
    search_words,
)
from keepsake.domain.entities.entity import keys_named
from keepsake.domain.memory import Memory
from keepsake.domain.reading.statements import extract
from keepsake.infra.readers import Readers
from keepsake.store import chat_commands, entities
from keepsake.store.operations import MemoryWriter


@dataclass(frozen=True, slots=True)
class Subject:
    """What a command is about, as written, and the keys that the rules give it where it is a statement."""

    text: str
    keys: frozenset[str | None] = frozenset()


async def read_subject(readers: Readers, text: str) -> Subject:
    """Read a subject by the rules; one that takes too long is searched by its words alone."""
    stated = await readers.run_or([], extract, text)
    return Subject(text, frozenset(candidate.key for candidate in stated))


async def find_memories_about(writer: MemoryWriter, subject: Subject | None) -> list[Memory]:
    """The current memories about a subject, or all of them where there is none, most important first."""
    current = await chat_commands.current_memories(
        writer.conn,
        user_id=writer.user_id,
        profile_id=writer.profile_id,
        persona_id=writer.origin.persona_id,
        words=search_words(subject.text if subject else ""),
        now=writer.now,
    )
    if subject is None:
        return [memory for memory, _ in current]
    return memories_about(subject.text, current, keys=subject.keys, aliases=await _aliases(writer, subject))


async def find_all_about(writer: MemoryWriter, subject: Subject | None) -> list[Memory]:
    """The memories about a subject in every state, with what they superseded; a reference means one memory alone."""
    if subject is None:
        return [memory for memory, _ in await chat_commands.remembered(writer, EVERYTHING)]
    aliases = await _aliases(writer, subject)
    known = await chat_commands.remembered(writer, search_past(subject.text, keys=subject.keys, aliases=aliases))
    found = memories_about(subject.text, known, keys=subject.keys, aliases=aliases)
    if not found or memory_number(subject.text) is not None:
        return found
    return found + await chat_commands.predecessors(writer, [memory.id for memory in found])


async def _aliases(writer: MemoryWriter, subject: Subject) -> set[str]:
    """The keys of the entities that a name in the subject is one of."""
    known = await entities.find_entities(writer.conn, user_id=writer.user_id, profile_id=writer.profile_id)
    return {key for name in names_in(subject.text) for key in keys_named(name, known)}
