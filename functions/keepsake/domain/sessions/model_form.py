"""The model's form of a session summary: the texts of its prompt, and what a reply makes."""

from __future__ import annotations

from keepsake.domain.sessions.session_summary import SessionSources, SessionSummary
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import Content, items_of, text_of
from keepsake.domain.summaries.model_form import message_text
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.summaries.said import newest_within

MAX_LINE, MAX_TONE, MAX_ITEMS = 300, 120, 5
"""Characters of the two texts, and items of each list."""

FORM = ReplyForm(
    {"one_liner": MAX_LINE, "tone": MAX_TONE},
    {"what_mattered": MAX_ITEMS, "open_loops": MAX_ITEMS, "commitments": MAX_ITEMS, "people": MAX_ITEMS},
)
"""What the model answers: the fields of the stored row."""


def build_session_prompt(sources: SessionSources, author: Author | None, *, budget: int) -> SummaryPrompt:
    """The prompt for the summary of a session; ``author`` is the person, where their name may be shown."""
    texts = [message_text(one) for one in newest_within(sources.messages, budget)] or [
        Citable(one.text, kind="remembered", memory_ids=(one.id,), row_id=one.id) for one in sources.memories
    ]
    texts += [Citable(todo.text, kind=f"to-do, {todo.status}", row_id=todo.id) for todo in sources.todos]
    background = sources.background
    return SummaryPrompt.of("session", FORM, texts, author=author, known=background.known, plans=background.plans)


def session_summary_of(content: Content) -> SessionSummary:
    """The summary that a reply makes."""
    return SessionSummary(
        text_of(content, "one_liner"),
        **{name: items_of(content, name) for name in FORM.lists},
        tone=text_of(content, "tone"),
    )
