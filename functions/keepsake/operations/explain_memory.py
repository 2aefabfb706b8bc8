"""The lines of ``keepsake explain`` about a memory: where it is from, how it stands, and what was done to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from keepsake.domain.explanation.mechanism import describe_mechanism, model_of
from keepsake.domain.explanation.reasons import describe_decision
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.lifecycle.lifetimes import FEELING_TTL
from keepsake.domain.memory import MemoryRef
from keepsake.domain.screening.screen import MAX_SENSITIVE_CONFIDENCE
from keepsake.store.explanations import KeptChange, MemoryRow

_SHOWN_WORDS = 160
"""Characters of a message that are shown."""

_HOURS_OF_A_FEELING = round(FEELING_TTL.total_seconds() / 3600)
_ORIGINS = {
    "agent_tool": "An assistant program stored it with the tool manage_user_memory; the person did not say it.",
    "import": "It stood in a file of memories that was imported.",
    "seeded_profile": "It is from the person's profile.",
    "curated_fold": "Keepsake put it together from several memories that say nearly the same.",
}
_STATUSES = {
    "active": "in use",
    "superseded": "ended, and kept as history",
    "expired": "over: the time for which it held has passed",
    "archived": "set aside",
    "deleted": "forgotten",
}
_ACTORS = {
    "user": "the person",
    "agent": "an assistant program, with the tool manage_user_memory",
    "rules": "the rules, which read the message without a language model",
    "llm": "the language model that read the message",
    "system": "Keepsake, from the profile",
    "cron": "Keepsake, in its daily work",
    "service": "the application",
}


def memory_lines(memory: MemoryRow, changes: Sequence[KeptChange], now: datetime) -> Iterator[str]:
    """What a memory is, where it is from, how it stands and why, and how often it was used."""
    is_shown = memory.status != "deleted"
    yield f"{MemoryRef(memory.memory_no)}  {memory.text if is_shown else '(forgotten; its text is not shown)'}"
    yield f"  id         {memory.id} of person {memory.user_id}"
    yield f"  origin     {_origin(memory, changes)}"
    if memory.quote and is_shown:
        yield f"  in words   “{memory.quote}”"
    if memory.source_message_id:
        yield f"  message    {memory.source_message_id} (keepsake explain {memory.source_message_id})"
    elif memory.source.endswith("_extraction"):
        yield "  message    is deleted"
    cause = _cause_of_status(memory, changes)
    is_back = cause is not None and memory.status == "active" and not memory.doubted_at
    yield f"  status     {_state(memory, now)}{' again' if is_back else ''}"
    if cause is not None:
        reasons = _reasons(cause, changes)
        yield from (f"  {'because' if number == 0 else '':9}  {line}" for number, line in enumerate(reasons))
    yield f"  holds      since {moment(memory.valid_from)}{_again(memory)}{_until(memory)}"
    if memory.period:
        yield f"  is about   {memory.period}"
    yield f"  certainty  {round(memory.confidence * 100)} %{_certainty(memory)}"
    yield f"  used       {_used(memory.reference_count)}"


def change_lines(changes: Sequence[KeptChange], *, with_memory: bool) -> Iterator[str]:
    """What was done, oldest first."""
    if not changes:
        yield "Of what was done to it, nothing is kept any more."
    for change in changes:
        name = f"{MemoryRef(change.memory_no)} " if with_memory and change.memory_no else ""
        text = f": {change.text or '(forgotten)'}" if with_memory else ""
        text += f", from “{change.text_before}” to “{change.text}”" if change.text_before else ""
        yield f"{moment(change.created_at)}  {name}{_event(change)}{text}"
        if change.reason:
            yield f"    because  {describe_decision(change.reason)}"
        if change.message_id and not with_memory:
            yield f"    message  {_words(change)}"
        if change.newer_no:
            yield f"    instead  {_successor(change)}"
        if mechanism := describe_mechanism(change.why):
            yield f"    how      {mechanism}"
        undone = f", undone {moment(change.undone_at)}" if change.undone_at else ""
        yield f"    done by  {_ACTORS.get(change.actor, change.actor)} (operation {change.operation_id}{undone})"


def moment(at: datetime | None) -> str:
    """A moment as all lines write it."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if at else "never"


def _origin(memory: MemoryRow, changes: Sequence[KeptChange]) -> str:
    """The one way in which the memory came about, as far as it is kept."""
    first = changes[0] if changes and changes[0].action == "insert" else None
    source = (first.source_after if first else None) or memory.source
    is_in_chat = memory.source_message_id is not None
    match source:
        case "llm_extraction":
            model = model_of(first.why) if first else None
            reader = f"the language model {model}" if model else "a language model"
            origin = f"The person said it in a chat; {reader} read it."
        case "rule_extraction":
            origin = "The person said it in a chat; the rules read it, without a language model."
        case "user" if first is None and memory.confidence == 1 and not memory.quote:
            origin = "The person wrote it; when and how is no longer kept."
        case "user" if is_in_chat:
            origin = "The person asked in a chat to remember it."
        case "user":
            origin = "The application stored it as the person's own word, not from a chat."
        case _:
            origin = _ORIGINS.get(source, source)
    edits = [change for change in changes if change.text_before and change.actor == "user" and not change.undone_at]
    if not edits:
        return origin
    return f"{origin} On {moment(edits[-1].created_at)} the person changed its text, from “{edits[-1].text_before}”."


def _state(memory: MemoryRow, now: datetime) -> str:
    is_over = memory.status == "active" and memory.expires_at is not None and memory.expires_at <= now
    if (is_over or memory.status == "expired") and memory.type == "emotion":
        return f"over: a feeling is taken to last {_HOURS_OF_A_FEELING} hours"
    status = _STATUSES["expired"] if is_over else _STATUSES.get(memory.status, memory.status)
    if memory.doubted_at and memory.status == "active":
        return f"in doubt since {moment(memory.doubted_at)}: it may no longer be so; the person has not said yet"
    return status


def _cause_of_status(memory: MemoryRow, changes: Sequence[KeptChange]) -> KeptChange | None:
    """The change by which the memory stands as it does; None where it stands as it was stored."""
    for change in reversed(changes):
        if change.action != "update" or change.undone_at:
            continue
        if change.is_doubted or (change.status_before != change.status_after and change.status_after == memory.status):
            return change
    return None


def _reasons(change: KeptChange, changes: Sequence[KeptChange]) -> Iterator[str]:
    """Who or what did it, in which words, and why."""
    if (undone := _undone_by(change, changes)) is not None:
        yield f"on {moment(change.created_at)} the person undid what {_words(undone)} had done"
        return
    if change.message_id:
        yield f"on {moment(change.said_at)} the person said {_words(change)}"
    else:
        yield f"done on {moment(change.created_at)} by {_ACTORS.get(change.actor, change.actor)}"
    if change.reason:
        yield describe_decision(change.reason)
    if change.newer_no:
        yield f"{_successor(change)} took its place"


def _undone_by(change: KeptChange, changes: Sequence[KeptChange]) -> KeptChange | None:
    """The change by a message that this one took back; None where it took back none, or none by a message."""
    reverted = [one for one in changes if one.message_id and f"undo of {one.operation_id}" == change.reason]
    return reverted[-1] if reverted else None


def _words(change: KeptChange) -> str:
    """The words of the message, without secrets, and its id; its words are not shown of what was forgotten."""
    text = " ".join(mask_secrets(change.said or "").split())
    shown = text if len(text) <= _SHOWN_WORDS else f"{text[: _SHOWN_WORDS - 1]}…"
    has_words = shown and change.text is not None
    return f"“{shown}” (message {change.message_id})" if has_words else f"message {change.message_id}"


def _successor(change: KeptChange) -> str:
    return f"{MemoryRef(change.newer_no or 0)} “{change.newer_text}”"


def _certainty(memory: MemoryRow) -> str:
    if memory.confidence == 1:
        return " (the person's own word)"
    is_sensitive = memory.confidence == MAX_SENSITIVE_CONFIDENCE
    return " (never more for a sensitive subject, as health or money)" if is_sensitive else ""


def _used(count: int) -> str:
    if not count:
        return "not yet: it was neither shown to the assistant nor said again"
    return f"{count} time{'' if count == 1 else 's'} shown to the assistant, or said again"


def _again(memory: MemoryRow) -> str:
    return f", said again {moment(memory.restated_at)}" if memory.restated_at else ""


def _until(memory: MemoryRow) -> str:
    end = memory.valid_to or memory.expires_at
    return f", until {moment(end)}" if end else ""


def _event(change: KeptChange) -> str:
    if change.action != "update":
        return {"insert": "stored", "delete": "removed"}[change.action]
    if change.status_before != change.status_after:
        back = "in use again" if change.status_after == "active" else None
        return back or _STATUSES.get(change.status_after or "", str(change.status_after))
    if change.is_doubted:
        return "became doubtful"
    if change.actor == "user":
        return "its text was changed" if change.text_before else "confirmed, or its details changed"
    return "changed, or said again"
