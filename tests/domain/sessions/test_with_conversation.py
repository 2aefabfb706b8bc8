"""One request for a session and its conversation: what each part may cite, and what becomes of the reply."""

from __future__ import annotations

import json
from uuid import UUID

from keepsake.domain.sessions.model_form import FORM as NOTES
from keepsake.domain.sessions.with_conversation import FORM, TASK, TASK_WITH_DAY, join_prompts, split_parts
from keepsake.domain.summaries import conversation_prompt
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import items_of, text_of
from keepsake.domain.summaries.model_form import FORMS
from keepsake.domain.summaries.periods import Level
from keepsake.domain.summaries.prompt import SummaryPrompt

FIRST, SECOND = (Citable(text, message_ids=(UUID(int=n),)) for n, text in enumerate(("I live in Graz", "I have a dog")))
ADA = Author("Ada")
TODO = Citable("Call the vet", kind="to-do, open", row_id=UUID(int=9))


def of_session(*texts: Citable) -> SummaryPrompt:
    """The prompt for the session alone."""
    return SummaryPrompt.of("session", NOTES, texts, author=ADA, plans=["Learn Greek"])


CONVERSATION = SummaryPrompt.of("conversation", conversation_prompt.FORM, [FIRST, SECOND], author=ADA)


def joined(*texts: Citable) -> SummaryPrompt:
    """The prompt for both."""
    prompt = join_prompts(of_session(*texts), CONVERSATION)
    assert prompt is not None
    return prompt


def test_the_data__is_that_of_the_conversation_with_the_numbers_of_the_session() -> None:
    system, user = joined(SECOND, TODO).build_messages(schema_in_prompt=False)
    assert all(f"- {name}:" in system["content"] for name in FORM.names)
    assert json.loads(user["content"].split("\n")[1]) == {
        "person": "Ada",
        "plans": ["Learn Greek"],
        "session": [2, 3],
        "texts": [
            {"n": 1, "text": "I live in Graz"},
            {"n": 2, "text": "I have a dog"},
            {"n": 3, "kind": "to-do, open", "text": "Call the vet"},
        ],
    }


def test_notes__cite_the_session_alone_and_the_summary_the_conversation() -> None:
    prompt = joined(SECOND, TODO)
    both = "Ada lives in Graz [1]. Ada has a dog [2]."
    reply = {"one_liner": both, "summary": both, "tone": "", "commitments": ["Call the vet [3]"]}
    parts = split_parts(prompt.form.read(json.dumps(reply), prompt.evidence).content)
    assert parts.session is not None
    assert parts.conversation is not None
    assert text_of(parts.session, "one_liner") == "Ada has a dog."
    assert items_of(parts.session, "commitments") == ["Call the vet"]
    assert text_of(parts.conversation, "summary") == "Ada lives in Graz. Ada has a dog."
    assert parts.day is None


def test_the_day__is_asked_for_where_all_that_was_said_on_it_is_shown() -> None:
    day = SummaryPrompt.of("day", FORMS[Level.DAY], [SECOND], author=ADA, previous="Ada was ill.")
    prompt = join_prompts(of_session(SECOND, TODO), CONVERSATION, day)
    assert prompt is not None
    assert (prompt.task, prompt.data["day"], prompt.data["previous"]) == (TASK_WITH_DAY, [2], "Ada was ill.")
    both = "Ada lives in Graz [1]. Ada has a dog [2]."
    reply = {"one_liner": both, "summary": both, "day_summary": both, "day_themes": ["a dog [2]"]}
    parts = split_parts(prompt.form.read(json.dumps(reply), prompt.evidence).content)
    assert parts.day is not None
    assert (text_of(parts.day, "summary"), items_of(parts.day, "key_themes")) == ("Ada has a dog.", ["a dog"])
    other = SummaryPrompt.of("day", FORMS[Level.DAY], [Citable("I like tea", message_ids=(UUID(int=7),))], author=ADA)
    without = join_prompts(of_session(SECOND, TODO), CONVERSATION, other)
    assert without is not None
    assert without.task == TASK


def test_a_part_without_anything_that_is_supported__is_none() -> None:
    prompt = joined(SECOND)
    reply = {"one_liner": "Ada lives in Graz [1].", "summary": "Ada has a dog [2].", "tone": ""}
    parts = split_parts(prompt.form.read(json.dumps(reply), prompt.evidence).content)
    assert (parts.session, parts.conversation is None) == (None, False)


def test_a_session_with_a_message_of_another_conversation__is_asked_about_alone() -> None:
    other = Citable("I like tea", message_ids=(UUID(int=7),))
    assert join_prompts(of_session(SECOND, other), CONVERSATION) is None
    remembered = Citable("Has a dog", kind="remembered", memory_ids=(UUID(int=8),))
    assert join_prompts(of_session(remembered), CONVERSATION) is None
