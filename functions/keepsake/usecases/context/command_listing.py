"""A chat command as a context tells it: the message it came in, and the memories a person asked to hear."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.commands import CommandResult, Kind
from keepsake.domain.context.selection import SelectedMemory
from keepsake.store.injections import Asked
from keepsake.usecases.commands.run_command import Saying

_MOST_LISTED = 60
"""Memories that are tried for a listing; the token budget leaves room for about half of them."""


def saying_of(asked: Asked) -> Saying:
    """The message a context is wanted for, as its command is carried out."""
    return Saying(
        asked.facts,
        asked.conversation_id,
        asked.message_id,
        asked.persona_id,
        asked.allowed_types,
        shared=asked.shared,
        told=True,
        timezone=asked.timezone,
    )


def lists(command: CommandResult | None) -> bool:
    """Whether the message asks what is remembered, and something is: the context lists it, and it counts as no use."""
    recalls = command is not None and command.kind in (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
    return recalls and command is not None and command.status == "done"


def listed(command: CommandResult | None, most: int | None) -> tuple[SelectedMemory, ...]:
    """What a person asked to hear, most important first; as much as there may be room for."""
    if command is None or not lists(command):
        return ()
    wanted = _MOST_LISTED if most is None else min(_MOST_LISTED, most)
    return tuple(SelectedMemory(memory, 0.0, "asked for") for memory in command.memories[:wanted])


def listed_count(command: CommandResult | None) -> int:
    """How many memories a person asked to hear, whether or not there is room for all."""
    return len(command.memories) if command is not None and lists(command) else 0


def beside(command: CommandResult | None, chosen: Sequence[SelectedMemory]) -> tuple[SelectedMemory, ...]:
    """What was chosen, without what the outcome's own line has just told in full."""
    if command is None or command.kind not in (Kind.REMEMBER, Kind.UNDO_LAST):
        return tuple(chosen)
    told = {memory.id for memory in command.memories}
    return tuple(one for one in chosen if one.memory.id not in told)
