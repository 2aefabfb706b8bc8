"""A command result as a context shows it: the memories that the person asked to see."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.commands.outcome import CommandResult
from keepsake.domain.context.selection import SelectedMemory
from keepsake.domain.reading.commands import Kind
from keepsake.usecases.commands.run_command import RECALLS

_MAX_LISTED = 60
"""Memories that a listing tries to show; about half of them fit the token budget."""


def is_listing(command: CommandResult | None) -> bool:
    """Whether the context lists memories because the person asked for them; listed memories do not count as used."""
    return command is not None and command.kind in RECALLS and command.status == "done"


def listed_memories(command: CommandResult | None, limit: int | None) -> tuple[SelectedMemory, ...]:
    """The memories that the person asked to see, most important first, as many as may fit."""
    if command is None or not is_listing(command):
        return ()
    requested = _MAX_LISTED if limit is None else min(_MAX_LISTED, limit)
    return tuple(SelectedMemory(memory, 0.0, "asked for") for memory in command.memories[:requested])


def listed_count(command: CommandResult | None) -> int:
    """How many memories the person asked to see, whether or not all of them fit."""
    return len(command.memories) if command is not None and is_listing(command) else 0


def without_reported(command: CommandResult | None, chosen: Sequence[SelectedMemory]) -> tuple[SelectedMemory, ...]:
    """The selected memories without those that the line of the command result already contains."""
    if command is None or command.kind not in (Kind.REMEMBER, Kind.UNDO_LAST):
        return tuple(chosen)
    reported = {memory.id for memory in command.memories}
    return tuple(one for one in chosen if one.memory.id not in reported)
