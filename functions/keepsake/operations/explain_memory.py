"""What ``keepsake explain`` says of a memory: where it is from, why it was kept, what changed it, if it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from keepsake.domain.explanation.reasons import name_memory
from keepsake.domain.explanation.sentences import has_sentence, moment, sentence, zone_name
from keepsake.domain.screening.screen import MAX_SENSITIVE_CONFIDENCE
from keepsake.operations.explain_changes import ChangeStory, words_of
from keepsake.store.explanations import KeptChange, MemoryRow
from keepsake.usecases.archive_old_memories import UNDO_WINDOW

_EXTRACTED = frozenset({"rule_extraction", "llm_extraction"})
"""The sources that are a message."""
_IN_USE = frozenset({"active", "doubted"})
"""The states in which the assistant may be shown a memory."""


def memory_lines(
    memory: MemoryRow, changes: Sequence[KeptChange], texts: Mapping[int, str], now: datetime
) -> Iterator[str]:
    """Questions about a memory, each with its answer; ids and names of the code come at the end, for support."""
    is_shown = memory.status != "deleted"
    known = {memory.memory_no: memory.text} if is_shown else {}
    yield f"{name_memory(memory.memory_no, known)}{'' if is_shown else ', which is forgotten: its text is not shown'}"
    yield f"(“You” is the person whose memory this is. All times are those of {zone_name(memory.timezone)}.)"
    story = ChangeStory(texts, memory.timezone)
    first = changes[0] if changes and changes[0].action == "insert" else None
    answers = {
        "where": _origin(memory, first),
        "kept": [_kept(memory, first, story)],
        "changed": _changed(memory, changes, story),
        "counts": _counts(memory, changes, now),
        "sure": _sure(memory, changes, now),
        "can": [sentence("can", _possibilities(memory, now))],
    }
    for name, answer in answers.items():
        if lines := [f"  {line}" for line in answer]:
            yield from ["", sentence("questions", name), *lines]
    yield from ["", "For support:", *(f"  {line}" for line in support_lines(memory, changes))]


def support_lines(memory: MemoryRow, changes: Sequence[KeptChange]) -> Iterator[str]:
    """The ids and the names of the code, by which the same is found in the database and the logs."""
    message = f", message {memory.source_message_id}" if memory.source_message_id else ""
    yield f"memory {memory.id}, person {memory.user_id}{message}"
    for change in changes:
        yield (
            f"{change.created_at:%Y-%m-%d %H:%M} UTC {change.action} by {change.actor}"
            f"{f', {change.why}' if change.why else ''}, operation {change.operation_id}"
        )


def _source(memory: MemoryRow, first: KeptChange | None) -> str:
    """The way in which the memory came about; "asked" where the person asked in a chat to remember it."""
    if first and (first.reason or "").startswith("import"):
        return "import"
    source = (first.source_after if first else None) or memory.source
    if source != "user":
        return source
    if first is None and memory.confidence == 1 and not memory.quote:
        return "user"  # an edit leaves no quote: whether a message was behind it is not known
    return "asked" if memory.source_message_id else "application"


def _origin(memory: MemoryRow, first: KeptChange | None) -> Iterator[str]:
    source = _source(memory, first)
    stored = moment(first.created_at if first else memory.created_at, memory.timezone)
    if source == "import":
        file = (first.reason or "" if first else "").partition("import of ")[2]
        yield sentence("where", "import" if file else "unnamed_import", stored=stored, file=file)
        if memory.status != "deleted":
            yield sentence("where", "row", words=first.text if first and first.text else memory.text)
        if memory.source != "import" and first and first.source_after != "import":
            yield sentence("where", "export")
    elif source in _EXTRACTED or source == "asked":
        if memory.status == "deleted":
            name = "hidden"
        elif memory.said is not None:
            name = "asked" if source == "asked" else "chat"
        else:
            name = "quoted" if memory.quote else "gone"
        said, words = moment(memory.said_at, memory.timezone), words_of(memory.said or memory.quote)
        yield sentence("where", name, stored=stored, said=said, words=words)
    else:
        yield sentence("where", source, stored=stored)


def _kept(memory: MemoryRow, first: KeptChange | None, story: ChangeStory) -> str:
    source = _source(memory, first)
    if first and (source in _EXTRACTED or source == "asked"):
        return story.describe_insert(first, is_requested=source == "asked")
    return sentence("kept", source if has_sentence("kept", source) else "unknown")


def _changed(memory: MemoryRow, changes: Sequence[KeptChange], story: ChangeStory) -> Iterator[str]:
    """Each change after the first; of a forgotten memory only how it was forgotten: the others have its words."""
    shown = [n for n, change in enumerate(changes) if change.action == "update"]
    if memory.status == "deleted":
        shown = [n for n in shown if changes[n].status_before != changes[n].status_after == "deleted"][-1:]
    yield from (story.describe(changes[n], changes[:n]) for n in shown)
    if not shown:
        yield sentence("changed", "none")


def _counts(memory: MemoryRow, changes: Sequence[KeptChange], now: datetime) -> Iterator[str]:
    returned = [change.created_at for change in changes if change.text_before or change.is_return]
    end = memory.valid_to or memory.expires_at
    values = {
        "since": moment(max([memory.valid_from, *returned]), memory.timezone),
        "until": moment(end, memory.timezone),
        "stored": moment(memory.created_at, memory.timezone),
        "erased": moment(memory.deleted_at and memory.deleted_at + UNDO_WINDOW, memory.timezone),
    }
    state = _state(memory, now)
    is_late = state == "expired" and memory.expires_at is not None and memory.expires_at <= memory.created_at
    yield sentence("counts", "until" if state == "active" and end else "late" if is_late else state, **values)
    if memory.type == "emotion" and state in {"active", "expired"}:
        yield sentence("counts", "feeling")
    if memory.period and memory.status != "deleted":
        yield sentence("counts", "period", period=memory.period)
    if state in _IN_USE and memory.shown_at:
        yield sentence("counts", "shown", shown=moment(memory.shown_at, memory.timezone))
    elif state in _IN_USE and not memory.reference_count:
        yield sentence("counts", "unshown")


def _state(memory: MemoryRow, now: datetime) -> str:
    """The state of the memory now: one whose time is over is expired before the nightly run says so."""
    if memory.status != "active":
        return memory.status
    if memory.expires_at is not None and memory.expires_at <= now:
        return "expired"
    return "doubted" if memory.doubted_at else "active"


def _sure(memory: MemoryRow, changes: Sequence[KeptChange], now: datetime) -> Iterator[str]:
    """How sure it is, and what that decides; nothing where it decides nothing."""
    percent, state = round(memory.confidence * 100), _state(memory, now)
    source = _source(memory, changes[0] if changes and changes[0].action == "insert" else None)
    if state == "doubted":
        yield sentence("sure", "doubted", percent=percent)
    elif state == "active" and percent == 100:
        otherwise = "asked" if source == "asked" else "own"
        yield sentence("sure", next(filter(None, map(_made_sure, reversed(changes))), otherwise))
    elif state == "active":
        is_sensitive = percent == round(MAX_SENSITIVE_CONFIDENCE * 100)
        of_source = "read" if source in _EXTRACTED else source if has_sentence("sure", source) else "other"
        yield sentence("sure", "sensitive" if is_sensitive else of_source, percent=percent)
        yield sentence("sure", "use")


def _made_sure(change: KeptChange) -> str | None:
    """The name of the sentence that says how the person made a memory certain by a change."""
    if change.actor != "user" or change.undone_at:
        return None
    if change.text_before and not change.message_id:
        return "edited"
    return {"confirm": "confirmed", "remember": "asked"}.get(change.reason or "")


def _possibilities(memory: MemoryRow, now: datetime) -> str:
    state = _state(memory, now)
    return state if has_sentence("can", state) else "over"
