"""The result of a command as one line for the assistant; text of the person is escaped and in quotes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from keepsake.domain.commands.command import Command, Kind, Outcome
from keepsake.domain.context.escaping import quote_text
from keepsake.domain.context.selection import is_private
from keepsake.domain.memory import Memory, Status

UNDO = 'They can have it back by saying "undo that".'
_TAKE_BACK = 'They can take that back by saying "undo that".'
_CONFLICT = "It cannot be undone: something has changed since. The person can still do it among their memories."
_MAX_NAMED = 5
_MAX_LENGTH = 100
_REJECTIONS = {
    "secret": "it holds something secret (a password, a key, a card or an id number), and secrets are never kept",
    "instruction": "it reads as an instruction to the assistant, and not as something about the person",
    "type_not_allowed": "the person does not allow memories of this kind",
    "older": "something they said later stands against it",
    "no_statement": "there is no statement in it that could be kept; ask them to say it in one sentence",
    "no_persona": "this conversation has no persona that could keep it to itself",
    "financial_amount": "it names an amount of money, and amounts are never kept",
    "bad_length": "it is too long; ask them to say it in one sentence",
    "bad_characters": "it holds characters that are not kept",
}
_POSTPONED = {
    "limited": "Too many commands within a minute: this one was not carried out. They can say it again in a minute.",
    "paused": "Not remembered: the person has paused memory, and nothing is kept until they resume it.",
}
_UNAVAILABLE = {
    "disabled": "The person has turned memory off",
    "conversation_off": "Memory is turned off in this conversation",
    "swiss_off": "Memory is not turned on in this conversation",
}


def reply_text(command: Command, outcome: Outcome, *, shared: bool = False) -> str:
    """The outcome in a sentence or two; with ``shared``, private texts are left out because others read the answer."""
    if outcome.status == "unavailable":
        unavailable = _UNAVAILABLE.get(outcome.reason or "", "Nobody is remembered in this conversation")
        return f"{unavailable}, so the command was not carried out. They can change that in their settings."
    return _POSTPONED.get(outcome.status) or _REPLIES.get(command.kind, _forget_text)(command, outcome, shared=shared)


def _recall_text(command: Command, outcome: Outcome, *, shared: bool) -> str:
    private = " What is private is not told here, where others read it." if shared else ""
    topic = f"about {quote_text(command.subject, _MAX_LENGTH)}" if command.subject else "about them"
    if not outcome.memories and command.subject:
        advice = "If something below touches on it, tell that; what is generally known may be told too."
        return f"The person asks what is remembered {topic}: nothing by these words. {advice}{private}"
    if not outcome.memories:
        return f"The person asks what is remembered {topic}: nothing is. Say so.{private}"
    count = _memory_count(outcome.count)
    return (
        f"The person asks what is remembered {topic}: {count}. Tell them what is listed below, and only that.{private}"
    )


def _remember_text(command: Command, outcome: Outcome, *, shared: bool) -> str:
    if outcome.status == "done" and outcome.memories:
        scope = ", for this persona alone" if command.is_persona_only else ""
        return f"Remembered{scope}, as the person asked: {_list(outcome.memories, shared=shared)}. {_TAKE_BACK}"
    if outcome.status == "done":
        return f"Noted, as the person asked: what no longer holds is no longer remembered. {UNDO}"
    return f"Not remembered: {_REJECTIONS.get(outcome.reason or '', _REJECTIONS['no_statement'])}."


def _forget_text(command: Command, outcome: Outcome, *, shared: bool) -> str:
    if (text := _taken_back_text(outcome, shared=shared)) is not None:
        return text
    parts = []
    if outcome.status == "which" and outcome.memories:
        return (
            "Nothing was forgotten yet, because it is not clear which memory is meant. Ask the person which of these: "
            f"{_list(outcome.memories, shared=shared)}. They can say it by its number, as in "
            f'"forget {outcome.memories[0].ref}".'
        )
    if outcome.cancelled:
        parts.append("What they said just before will not be remembered, as they asked.")
    if outcome.status == "done" and outcome.memories:
        parts.append(f"Forgotten, as the person asked: {_list(outcome.memories, shared=shared)}.")
    elif outcome.status == "done" and command.subject:
        parts.append(f"Forgotten, as the person asked: their to-dos about {quote_text(command.subject, _MAX_LENGTH)}.")
    if parts:
        return " ".join([*parts, UNDO])
    if outcome.reason == "already":
        return "That is forgotten already; nothing more was forgotten."
    if command.subject:
        return f"Nothing is remembered about {quote_text(command.subject, _MAX_LENGTH)}, so nothing was forgotten."
    return "Nothing was just remembered or used that could be forgotten. Ask the person what they mean."


def _taken_back_text(outcome: Outcome, *, shared: bool) -> str | None:
    """What became of the memories that a message had only changed; None where it was no such message."""
    if outcome.status == "refused":
        return _CONFLICT
    if outcome.reason != "restored":
        return None
    return f"Taken back, as the person asked; as it was before: {_list(outcome.memories, shared=shared)}. {UNDO}"


def _do_not_remember_text(_: Command, outcome: Outcome, *, shared: bool) -> str:
    if (text := _taken_back_text(outcome, shared=shared)) is not None:
        return text
    if outcome.memories:
        return f"Not kept, as the person asked: {_list(outcome.memories, shared=shared)}. {UNDO}"
    if outcome.cancelled or outcome.operation_id:
        return f"What they said just before will not be remembered, as they asked. {UNDO}"
    if outcome.reason == "this_turn":
        return "Nothing of this message is remembered, as the person asked."
    return "Nothing of what they said just before is remembered."


def _forget_all_text(_: Command, outcome: Outcome, *, shared: bool) -> str:  # noqa: ARG001 (a count is not private)
    if outcome.status == "confirm":
        return (
            "Nothing was forgotten yet: a confirmation is pending. The person asks to have everything forgotten that "
            'is remembered of them: ask them to say "yes" or "yes, forget everything" if they mean it.'
        )
    if outcome.status == "nothing":
        return "Nothing is remembered of the person, so nothing was forgotten."
    return f"Everything remembered of the person was forgotten, as they asked: {_memory_count(outcome.count)}. {UNDO}"


def _undo_text(_: Command, outcome: Outcome, *, shared: bool) -> str:
    if outcome.status == "refused":
        return _CONFLICT
    restored = [memory for memory in outcome.memories if memory.status is Status.ACTIVE]
    if restored:
        return f"Undone, as the person asked; remembered again: {_list(restored, shared=shared)}."
    if outcome.memories:
        return f"Undone, as the person asked; no longer remembered: {_list(outcome.memories, shared=shared)}."
    if outcome.operation_id:
        return "Undone, as the person asked: the memories are as they were before."
    return "Undone, as the person asked: what they said before may be remembered again."


def _paused(_: Command, outcome: Outcome, *, shared: bool) -> str:  # noqa: ARG001 (a choice is not private)
    return 'Memory is paused, as the person asked: nothing new is kept until they say "resume memory".'


def _resumed(_: Command, outcome: Outcome, *, shared: bool) -> str:  # noqa: ARG001 (a choice is not private)
    return "Memory is on again, as the person asked: what they say from now on may be remembered."


def _accepted(_: Command, outcome: Outcome, *, shared: bool) -> str:
    if not outcome.memories:
        return "What an assistant asked to forget is not remembered any more; nothing was changed."
    return f"Forgotten, as an assistant asked and the person agreed: {_list(outcome.memories, shared=shared)}. {UNDO}"


def _rejected(_: Command, outcome: Outcome, *, shared: bool) -> str:
    return f"Kept, as the person wishes: {_list(outcome.memories, shared=shared)}. Nothing was forgotten."


def asking(kind: str, memories: Sequence[Memory]) -> str:
    """What an agent asks for and only the person may answer, as the assistant is to ask it."""
    action = "forget" if kind == "agent_forget" else "archive, because it no longer holds,"
    return (
        f"An assistant asks to {action} {_list(memories, shared=False)}. Nothing was changed. Tell the person what it "
        'is, and that they can answer "yes" or "no".'
    )


def forgotten_since(memories: Sequence[Memory], *, can_undo: bool) -> str:
    """What was forgotten since the last context, because a message asked for it in words that no command has."""
    how = UNDO if can_undo else "They can have it back among their memories."
    return f"Forgotten since, as the person asked: {_list(memories, shared=False)}. Tell them so, in a word. {how}"


def _list(memories: Sequence[Memory], *, shared: bool) -> str:
    """The first memories with text and number; private ones with the number only where others read the answer."""
    shown = [
        memory.ref if shared and is_private(memory) else f"{quote_text(memory.text, _MAX_LENGTH)} ({memory.ref})"
        for memory in memories[:_MAX_NAMED]
    ]
    more = len(memories) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def _memory_count(number: int) -> str:
    return "1 memory" if number == 1 else f"{number} memories"


_REPLIES: Mapping[Kind, Callable[..., str]] = {
    Kind.RECALL_ALL: _recall_text,
    Kind.RECALL_SUBJECT: _recall_text,
    Kind.REMEMBER: _remember_text,
    Kind.UNDO_LAST: _undo_text,
    Kind.DO_NOT_REMEMBER: _do_not_remember_text,
    Kind.FORGET_ALL: _forget_all_text,
    Kind.ACCEPT_REQUEST: _accepted,
    Kind.REJECT_REQUEST: _rejected,
    Kind.PAUSE: _paused,
    Kind.RESUME: _resumed,
}
