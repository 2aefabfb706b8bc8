"""One request for the notes of a session and for the summary of the conversation in which it took place.

The texts of the conversation contain those of the session, so one reply has both, and its notes cite only the latter.
"""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.sessions import model_form
from keepsake.domain.summaries import conversation_prompt
from keepsake.domain.summaries.citable import Citable, show_texts
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt

TASK = "session_of_conversation"
FORM = ReplyForm(
    {**model_form.FORM.texts, **conversation_prompt.FORM.texts},
    {**model_form.FORM.lists, **conversation_prompt.FORM.lists},
)
"""What the model answers: the fields of both."""


def join_prompts(session: SummaryPrompt, conversation: SummaryPrompt) -> SummaryPrompt | None:
    """The request for both; None where something that was said in the session is no text of the conversation."""
    numbers = {one.message_ids: number for number, one in conversation.evidence.texts.items() if one.kind == "said"}
    texts, own = dict(conversation.evidence.texts), dict[int, Citable]()
    for one in session.texts:
        is_todo = not (one.message_ids or one.memory_ids)
        number = len(texts) + 1 if is_todo else numbers.get(one.message_ids)
        if number is None:
            return None
        own[number] = texts[number] = one
    known = session.evidence.known
    joint = replace(conversation.evidence, known=known)
    of_session = Evidence(own, known, session.evidence.person)
    of_field = {name: joint if name in conversation.form.texts else of_session for name in (*FORM.texts, *FORM.lists)}
    return SummaryPrompt(
        TASK,
        FORM,
        {**session.data, "session": sorted(own), "texts": show_texts(texts)},
        Evidence(texts, known, session.evidence.person, of_field=of_field),
    )


def split_parts(content: Content) -> tuple[Content | None, Content | None]:
    """The notes of the session and the summary of the conversation; None where nothing of one is supported."""
    notes, summary = (
        {name: content.get(name, ()) for name in form.names} for form in (model_form.FORM, conversation_prompt.FORM)
    )
    has_notes = any(notes[name] for name in model_form.FORM.texts)
    return notes if has_notes else None, summary if any(summary.values()) else None
