"""The result of a command as one line for the assistant; text of the person is escaped and in quotes."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.commands.outcome import Outcome
from keepsake.domain.context.escaping import quote_text
from keepsake.domain.context.selection import is_private
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import Memory, Status
from keepsake.domain.reading.commands import Command

_TABLE = read_toml("data/replies.toml", __package__)
_TEXTS = _TABLE["texts"]
_REPLIES: list[tuple[frozenset[str], str]] = [(frozenset(reply["when"]), reply["text"]) for reply in _TABLE["reply"]]
_MAX_NAMED = 5
_MAX_LENGTH = 100

UNDO = _TEXTS["undo"]


def reply_text(command: Command, outcome: Outcome, *, shared: bool = False) -> str:
    """The outcome in a sentence or two; with ``shared``, private texts are left out because others read the answer."""
    memories = outcome.memories
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    there_is = {
        "subject": command.subject,
        "memories": memories,
        "active": active,
        "cancelled": outcome.cancelled,
        "operation": outcome.operation_id,
    }
    facts = {command.kind, command.kind.partition("_")[0], outcome.status, outcome.reason}
    facts.update(name for name, value in there_is.items() if value)
    text = next(text for when, text in _REPLIES if when <= facts)
    return text.format(
        topic=f"about {quote_text(command.subject, _MAX_LENGTH)}" if command.subject else "about them",
        count="1 memory" if outcome.count == 1 else f"{outcome.count} memories",
        list=_list(memories, shared=shared),
        active=_list(active, shared=shared),
        number=memories[0].ref if memories else "",
        private=_TEXTS["private"] if shared else "",
        cancelled=_TEXTS["cancelled"] if outcome.cancelled else "",
        for_persona=_TEXTS["for_persona"] if command.is_persona_only else "",
        undo=UNDO,
        settings=_TEXTS["settings"],
    )


def asking(kind: str, memories: Sequence[Memory]) -> str:
    """What an agent asks for and only the person may answer, as the assistant is to ask it."""
    action = _TEXTS["asks_to_forget" if kind == "agent_forget" else "asks_to_archive"]
    return str(_TEXTS["asking"]).format(action=action, list=_list(memories, shared=False))


def forgotten_since(memories: Sequence[Memory], *, can_undo: bool) -> str:
    """What was forgotten since the last context, because a message asked for it in words that no command has."""
    how = UNDO if can_undo else _TEXTS["elsewhere"]
    return str(_TEXTS["since"]).format(how=how, list=_list(memories, shared=False))


def _list(memories: Sequence[Memory], *, shared: bool) -> str:
    """The first memories with text and number; private ones with the number only where others read the answer."""
    shown = [
        memory.ref if shared and is_private(memory) else f"{quote_text(memory.text, _MAX_LENGTH)} ({memory.ref})"
        for memory in memories[:_MAX_NAMED]
    ]
    more = len(memories) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")
