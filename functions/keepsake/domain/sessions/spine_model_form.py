"""The model's form of the spine: it sorts and shortens numbered statements; each item rests on those that it cites."""

from __future__ import annotations

from keepsake.domain.reading.todos import TodoKind
from keepsake.domain.sessions.outdated import MAX_OUTDATED, OUTDATED
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.sessions.spine import MAX_ITEMS, Spine, SpineItem, SpineSection
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.compose_sentences import full_date
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt

FORM = ReplyForm(
    {},
    {section.value.lower(): MAX_ITEMS for section in SpineSection} | {OUTDATED: MAX_OUTDATED},
    frozenset({OUTDATED}),
)
"""What the model answers."""

_MAX_STATEMENTS = 80
"""Statements that are shown to a model."""


def build_spine_prompt(sources: SessionSources) -> SummaryPrompt:
    """The prompt for the next version of the spine."""
    shown = [one for one in sources.memories if not one.is_feeling][:_MAX_STATEMENTS]
    texts = [
        Citable(
            one.text,
            full_date(one.day),
            one.day,
            "noted",
            memory_ids=(one.id,),
            row_id=one.id,
        )
        for one in sorted(shown, key=lambda one: one.day)
    ]
    texts += [
        Citable(todo.text, kind="to-do", row_id=todo.id) for todo in sources.todos if todo.kind is not TodoKind.HABIT
    ]
    return SummaryPrompt.of("spine", FORM, [*texts, *sources.notes], author=None)


def spine_of(content: Content) -> Spine | None:
    """The model's spine: each item with the first row that it rests on; None where it has none."""
    spine: dict[SpineSection, list[SpineItem]] = {}
    for section in SpineSection:
        items = []
        for cited in content.get(section.value.lower(), ()):
            source = next((one for one in cited.sources if one.row_id is not None), None)
            if source is not None and source.row_id is not None:
                items.append(SpineItem(source.row_id, cited.text, source.text))
        spine[section] = items
    return spine if any(spine.values()) else None
