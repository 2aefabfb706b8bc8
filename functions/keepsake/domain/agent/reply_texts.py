"""The replies of the agent tool, one sentence each; a refusal does not repeat what the agent said."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.agent.shown_memory import ShownMemory
from keepsake.domain.context.escaping import quote_text

_REJECTIONS = {
    "secret": "This holds something secret, and is never kept.",
    "instruction": "This reads as an instruction to a model, and is not kept.",
    "no_statement": "This states nothing lasting about the person.",
    "bad_length": "This is too long or empty.",
    "bad_characters": "This holds characters that cannot be kept.",
    "type_not_allowed": "The person does not want this kind of thing remembered.",
    "confirmed": "The person has confirmed otherwise. Ask them, and let them say that it changed.",
    "older": "Something newer is known.",
    "said_by_person": "The person has said otherwise themselves. Ask them; their own message, if named, counts.",
    "needs_message": "Only the person's own saved message can command this: name it in the call.",
    "too_many_pending": "Too much waits for the person's answer already.",
    "no_persona": "This conversation has no persona to keep it for.",
}
_UNAVAILABLE = {
    "disabled": "The person has turned memory off.",
    "conversation_off": "The person does not want memory in this conversation.",
    "swiss_off": "Memory is off in this conversation, unless the person turns it on.",
}
_UNCHANGED = {
    "nothing": "Nothing that is remembered matches.",
    "paused": "The person has paused memory: nothing new is kept.",
    "confirm": "Nothing was forgotten yet: the person is asked whether they mean everything.",
    "which": "Nothing was forgotten yet: it is not clear which memory the person means.",
    "limited": "Too many commands within a minute: this one was not carried out.",
}
_CONTRADICTED = ("confirmed", "said_by_person")
_MAX_REFS = 10
_LENGTH = 200


def reply_text(operation: str, status: str, reason: str | None, memories: Sequence[ShownMemory] = ()) -> str:
    """The result of an operation as a sentence."""
    if status == "done":
        return _success_text(operation, reason, memories)
    if status == "unavailable":
        return _UNAVAILABLE.get(reason or "", "The person has no memory here: no profile of theirs is chosen.")
    if status == "pending":
        return f"Nothing was changed: this is the person's own, and waits for their answer: {_named(memories)}."
    return _UNCHANGED.get(status) or _refusal(reason, memories)


def _refusal(reason: str | None, memories: Sequence[ShownMemory]) -> str:
    refusal = _REJECTIONS.get(reason or "", "This is not kept.")
    if memories and reason in _CONTRADICTED:
        listed = "; ".join(
            f"{quote_text(memory.text, _LENGTH)} ({memory.ref})" if memory.text else memory.ref
            for memory in memories[:_MAX_REFS]
        )
        return f"{refusal} What stands: {listed}."
    return refusal


def _success_text(operation: str, reason: str | None, memories: Sequence[ShownMemory]) -> str:
    refs = _named(memories)
    match operation:
        case "add_fact" | "remember" if reason == "known":
            return f"This is remembered already: {refs}."
        case "add_fact" | "remember":
            stored = "; ".join(f"{memory.text} ({memory.ref})" if memory.text else memory.ref for memory in memories)
            return f"Remembered: {stored}." if stored else "What the person took back is no longer remembered."
        case "deactivate_fact":
            return f"{refs} no longer holds. It stays as history, and can be brought back."
        case "forget":
            return f"Forgotten: {refs}. It can be undone for 30 days."
        case "add_poi":
            return "The place is known, and up to date." if reason == "known" else "The place is kept."
        case _:
            return "Here is what is known."


def _named(memories: Sequence[ShownMemory]) -> str:
    """The references of the first memories, and how many more there are."""
    refs = ", ".join(memory.ref for memory in memories[:_MAX_REFS])
    return refs + (f" and {len(memories) - _MAX_REFS} more" if len(memories) > _MAX_REFS else "")
