"""What the agent tool answers, in a sentence its model can go by; no memory's text is repeated in a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.memory import Memory

_NOT_KEPT = {
    "secret": "This holds something secret, and is never kept.",
    "instruction": "This reads as an instruction to a model, and is not kept.",
    "no_statement": "This states nothing lasting about the person.",
    "bad_length": "This is too long or empty.",
    "bad_characters": "This holds characters that cannot be kept.",
    "type_not_allowed": "The person does not want this kind of thing remembered.",
    "confirmed": "The person has confirmed otherwise. Ask them, and let them say that it changed.",
    "older": "Something newer is known.",
    "pinned": "The person has pinned this; only they can let it go.",
    "no_persona": "This conversation has no persona to keep it for.",
}
_NO_MEMORY = {
    "disabled": "The person has turned memory off.",
    "conversation_off": "The person does not want memory in this conversation.",
    "swiss_off": "Memory is off in this conversation, unless the person turns it on.",
}
_MOST_NAMED = 10


def told(operation: str, status: str, reason: str | None, memories: Sequence[Memory] = ()) -> str:
    """What came of an operation, in a sentence."""
    if status == "done":
        return _done(operation, reason, memories)
    if status == "nothing":
        return "Nothing that is remembered matches."
    if status == "paused":
        return "The person has paused memory: nothing new is kept."
    if status == "unavailable":
        return _NO_MEMORY.get(reason or "", "The person has no memory here: no profile of theirs is chosen.")
    return _NOT_KEPT.get(reason or "", "This is not kept.")


def _done(operation: str, reason: str | None, memories: Sequence[Memory]) -> str:
    named = ", ".join(memory.ref for memory in memories[:_MOST_NAMED])
    more = f" and {len(memories) - _MOST_NAMED} more" if len(memories) > _MOST_NAMED else ""
    match operation:
        case "add_fact" | "remember" if reason == "known":
            return f"This is remembered already: {named}."
        case "add_fact" | "remember":
            said = "; ".join(f"{memory.text} ({memory.ref})" for memory in memories)
            return f"Remembered: {said}." if said else "What the person took back is no longer remembered."
        case "deactivate_fact":
            return f"{named} no longer holds. It stays as history, and can be brought back."
        case "forget":
            return f"Forgotten: {named}{more}. It can be undone for 30 days."
        case "add_poi":
            return "The place is known, and up to date." if reason == "known" else "The place is kept."
        case _:
            return "Here is what is known."
