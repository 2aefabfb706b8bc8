"""The model's form of the spine: it sorts and shortens numbered statements, so that each item rests on one memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from uuid import UUID

from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.sessions.spine import MAX_ITEMS, Spine, SpineItem, SpineSection, write_spine
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.todos.todo import TodoKind

FORM = ReplyForm({}, {section.value.lower(): MAX_ITEMS for section in SpineSection})
"""What the model answers."""

_MAX_STATEMENTS = 80
"""Statements that are shown to a model."""
_ITEM = re.compile(r"(\d{1,3})\s*[:.]\s*(\S.*)")


def build_spine_prompt(sources: SessionSources) -> SummaryPrompt:
    """The prompt for the next version of the spine."""
    statements = [f"{number}: {text}" for number, (_, text) in _statements(sources).items()]
    return SummaryPrompt("spine", FORM, {"statements": statements})


def complete_spine(sources: SessionSources, content: Content) -> Spine | None:
    """The model's spine: each item rests on the statement that it names; an empty section is as the rules have it.

    None where no item does.
    """
    statements = _statements(sources)
    spine: dict[SpineSection, list[SpineItem]] = {}
    sorted_ids: set[UUID] = set()
    for section in SpineSection:
        spine[section] = []
        for item in content[section.value.lower()]:
            found = _read_item(item, statements)
            if found is not None and found.id not in sorted_ids:
                spine[section].append(found)
                sorted_ids.add(found.id)
    if not sorted_ids:
        return None
    for section, items in write_spine(sources).items():
        if not spine[section]:
            spine[section] = [item for item in items if item.id not in sorted_ids]
    return spine


def _read_item(item: str, statements: Mapping[int, tuple[UUID, str]]) -> SpineItem | None:
    """The item with the row that it names; None where it names none, or says what is not in it."""
    match = _ITEM.fullmatch(item.strip())
    if match is None or int(match[1]) not in statements:
        return None
    row_id, statement = statements[int(match[1])]
    text = match[2].strip().rstrip(".")
    return (
        SpineItem(row_id, text, None if text == statement else statement)
        if Evidence([statement]).supports(text)
        else None
    )


def _statements(sources: SessionSources) -> dict[int, tuple[UUID, str]]:
    """What may be in the spine, by its number in the prompt."""
    found = [(one.id, one.text) for one in sources.memories if not one.is_feeling]
    found += [(todo.id, todo.text) for todo in sources.todos if todo.kind is not TodoKind.HABIT]
    return dict(enumerate(found[:_MAX_STATEMENTS], 1))
