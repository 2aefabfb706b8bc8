"""The model's forms of a session summary and a rolling summary: the data of each prompt, and what a reply makes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from keepsake.domain.sessions.session_summary import MAX_ROLLING, SessionSources, SessionSummary
from keepsake.domain.summaries.compose_sentences import day_of_month
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt

MAX_LINE, MAX_TONE, MAX_ITEMS = 300, 120, 5
"""Characters of the two texts, and items of each list."""

FORM = ReplyForm(
    {"one_liner": MAX_LINE, "tone": MAX_TONE},
    {"what_mattered": MAX_ITEMS, "open_loops": MAX_ITEMS, "commitments": MAX_ITEMS, "people": MAX_ITEMS},
)
"""What the model answers: the fields of the stored row."""

ROLLING_FORM = ReplyForm({"rolling_summary": MAX_ROLLING}, {})
"""The same of a rolling summary."""


def build_session_prompt(sources: SessionSources, name: str | None) -> SummaryPrompt:
    """The prompt for the summary of a session; ``name`` is the person's, where it may be shown."""
    statements = [
        {"kind": "feeling" if one.is_feeling else "plan" if one.is_plan else "fact", "text": one.text}
        | ({"about": one.subject} if one.subject else {})
        for one in sources.memories
    ]
    todos = [{"kind": todo.kind.value, "text": todo.text, "status": todo.status} for todo in sources.todos]
    return SummaryPrompt.for_person(name, "session", FORM, statements=statements, todos=todos)


def build_rolling_prompt(sources: SessionSources, name: str | None) -> SummaryPrompt:
    """The prompt for what was said to a persona of late."""
    statements = [{"day": day_of_month(one.day), "text": one.text} for one in sources.memories]
    todos = [{"text": todo.text, "status": todo.status} for todo in sources.todos]
    return SummaryPrompt.for_person(name, "rolling", ROLLING_FORM, statements=statements, todos=todos)


def complete_session_summary(rules_form: SessionSummary, content: Content) -> SessionSummary:
    """The model's summary; a field that it has nothing for stays as the rules wrote it."""
    fields: dict[str, Any] = {name: value for name, value in content.items() if value}
    return replace(rules_form, **fields)
