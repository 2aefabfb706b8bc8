"""One request for the notes of a session, the summary of its conversation, and that of the day so far.

The texts of the conversation contain those of the session, and mostly of the day, so one reply has all three. The notes
and the day cite only their own texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from keepsake.domain.sessions import model_form
from keepsake.domain.summaries import conversation_prompt
from keepsake.domain.summaries.citable import Citable, show_texts
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.model_form import FORMS
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.prompt import SummaryPrompt

TASK, TASK_WITH_DAY = "session_of_conversation", "session_with_day"
_DAY = FORMS[Level.DAY]
_OF_DAY = {"day_summary": "summary", "day_themes": "key_themes"}
"""The fields of the day as the reply names them."""
FORM = ReplyForm(
    {**model_form.FORM.texts, **conversation_prompt.FORM.texts},
    {**model_form.FORM.lists, **conversation_prompt.FORM.lists},
)
"""What the model answers: the fields of both."""
FORM_WITH_DAY = ReplyForm(
    {**FORM.texts, "day_summary": _DAY.texts["summary"]}, {**FORM.lists, "day_themes": _DAY.lists["key_themes"]}
)
"""The same with those of the day."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a reply has of each; None where nothing of one is supported."""

    session: Content | None
    conversation: Content | None
    day: Content | None


def join_prompts(
    session: SummaryPrompt, conversation: SummaryPrompt, day: SummaryPrompt | None = None
) -> SummaryPrompt | None:
    """The request for all; None where something that was said in the session is no text of the conversation.

    The day is left out where something that was said on it is none.
    """
    numbers = {one.message_ids: number for number, one in conversation.evidence.texts.items() if one.kind == "said"}
    texts, own = dict(conversation.evidence.texts), dict[int, Citable]()
    for one in session.texts:
        is_todo = not (one.message_ids or one.memory_ids)
        number = len(texts) + 1 if is_todo else numbers.get(one.message_ids)
        if number is None:
            return None
        own[number] = texts[number] = one
    evidence = replace(session.evidence, texts=own)
    joint = replace(evidence, texts=texts)
    of_day = _number(day.texts, numbers) if day else None
    form = FORM_WITH_DAY if of_day else FORM
    data = {**session.data, "session": sorted(own)}
    of_field = {name: joint if name in conversation.form.texts else evidence for name in (*form.texts, *form.lists)}
    if day and of_day:
        data |= {"day": sorted(of_day)} | {name: day.data[name] for name in ("previous",) if name in day.data}
        of_field |= dict.fromkeys(_OF_DAY, replace(day.evidence, texts=of_day))
    return SummaryPrompt(
        TASK_WITH_DAY if of_day else TASK, form, {**data, "texts": show_texts(texts)}, replace(joint, of_field=of_field)
    )


def _number(texts: Sequence[Citable], numbers: Mapping[tuple[UUID, ...], int]) -> dict[int, Citable] | None:
    """The texts by the numbers of the messages that they are; None where one is no such message."""
    found = [numbers.get(one.message_ids) if one.kind == "said" else None for one in texts]
    return {number: one for number, one in zip(found, texts, strict=True) if number} if all(found) else None


def split_parts(content: Content) -> Parts:
    """The notes of the session, the summary of the conversation, and that of the day."""
    notes, summary = (
        {name: content.get(name, ()) for name in form.names} for form in (model_form.FORM, conversation_prompt.FORM)
    )
    day = {name: content.get(field, ()) for field, name in _OF_DAY.items()}
    has_notes = any(notes[name] for name in model_form.FORM.texts)
    return Parts(
        notes if has_notes else None, summary if any(summary.values()) else None, day if day["summary"] else None
    )
