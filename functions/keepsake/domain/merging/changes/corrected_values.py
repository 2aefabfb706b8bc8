"""Reads which value a message corrects ("Brighton not Bristol", "oops, the 19th"), and corrects it in the memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from rapidfuzz import fuzz

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.extraction.rules.key_of_text import key_of
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.change_words import WORDS
from keepsake.domain.merging.changes.previous_message import memories_of_previous_message
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.text import normalize_apostrophes

_MIN_CONFIDENCE, _MAX_CONFIDENCE = 0.7, 0.9
_MIN_NAME_SIMILARITY = 50
_MAX_LENGTH = 200
_MONTH = "|".join(MONTHS)
_VALUE = r"[\w/'-]{1,30}(?: [\w/'-]{1,30}){0,3}"
_NEW_NOT_OLD = re.compile(
    rf"^(?:{WORDS['correction_openers']}[\s,:]{{1,3}}){{0,3}}(?P<new>{_VALUE}?),? not (?P<old>{_VALUE})\W{{0,5}}$",
    re.IGNORECASE,
)
_STATEMENT = re.compile(rf"\b{WORDS['statement_words']}\b", re.IGNORECASE)
_OPENER = re.compile(rf"^\W{{0,4}}(?:{WORDS['correction_signs']})\b", re.IGNORECASE)
_CLASSES = (
    re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b", re.IGNORECASE
    ),
    re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE),
    re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE),
    re.compile(r"\b\d{1,6}\b"),
    re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b", re.IGNORECASE),
)
"""Dates, times, days of the week and numbers: a correction replaces a value with one of its own class."""
_NAME = re.compile(
    r"\b(?:it's|its|it is|he's|she's|spelled|spelt|called|named|meant|say) (?P<name>(?-i:[A-Z])[\w-]{1,20})",
    re.IGNORECASE,
)


_SAID_INSTEAD = re.compile(
    r"\b(?:it's|its|it is|meant|mean) (?P<new>(?-i:[A-Z])[\w-]{1,20})\b.{0,60}\b(?:said|wrote|typed|put) "
    r"(?P<old>(?-i:[A-Z])[\w-]{1,20})\b",
    re.IGNORECASE,
)


def read_new_not_old(quote: str) -> tuple[str, str] | None:
    """The old and the new value of a clause such as "Brighton not Bristol"; None where it is a statement."""
    match = _NEW_NOT_OLD.match(normalize_apostrophes(" ".join(quote.split())))
    return None if match is None or _STATEMENT.search(match["new"]) else (match["old"], match["new"])


def read_correction(text: str, said_at: datetime, recent: Sequence[Memory]) -> tuple[str, str] | None:
    """The value of the message before that this one corrects, and the new one; None where it corrects nothing."""
    normalized = normalize_apostrophes(" ".join(text[:_MAX_LENGTH].split()))
    last = memories_of_previous_message(recent, said_at)
    is_correction = _OPENER.search(normalized) or _SAID_INSTEAD.search(normalized)
    return next(_corrections(normalized, last), None) if last and is_correction else None


def _corrections(text: str, last: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    for values in _CLASSES:
        named = dict.fromkeys(values.findall(text))
        if not named:
            continue
        for memory in last:
            known = dict.fromkeys(values.findall(memory.text))
            new = [value for value in named if value.casefold() not in {one.casefold() for one in known}]
            if len(known) == len(new) == 1:
                yield next(iter(known)), new[0]
        return
    if (said := _SAID_INSTEAD.search(text)) and any(said["old"] in memory.text for memory in last):
        yield said["old"], said["new"]
    match = _NAME.search(text)
    if match is None:
        return
    for memory in last:
        label = memory.entity_label or ""
        if (
            label
            and label != match["name"]
            and fuzz.ratio(label.lower(), match["name"].lower()) >= _MIN_NAME_SIMILARITY
        ):
            yield label, match["name"]


def correct_value(
    statement: ChangeStatement, known: Sequence[Memory], said_at: datetime
) -> tuple[Memory, Candidate] | None:
    """The newest memory that contains the old value, and the statement with the new one in its place."""
    if not statement.old:
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(statement.old)}(?!\w)", re.IGNORECASE)
    containing = [memory for memory in known if may_change(memory, said_at) and pattern.search(memory.text)]
    if not containing:
        return None
    memory = max(containing, key=lambda one: (one.last_said_at, one.memory_no))
    text = pattern.sub(lambda _: statement.new, memory.text)
    if text == memory.text:
        return None
    key, value = key_of(text) or (None, None)
    label = memory.entity_label
    return memory, Candidate(
        type=memory.type,
        subtype=memory.subtype,
        text=text,
        quote=statement.clause.quote,
        confidence=max(_MIN_CONFIDENCE, min(memory.confidence, _MAX_CONFIDENCE)),
        key=key,
        value=value,
        importance=memory.importance,
        entity_type="person",
        entity_refs=() if label and pattern.search(label) else memory.entity_refs,
        entity_label=label and pattern.sub(lambda _: statement.new, label),
        language=memory.language,
        corrects=True,
        persona_id=memory.persona_id,
        why="correction",
    )
