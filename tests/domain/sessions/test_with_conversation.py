"""One request for a session and its conversation: what each part may cite, and what becomes of the reply."""

from __future__ import annotations

import json
from uuid import UUID

from keepsake.domain.sessions.model_form import FORM as NOTES
from keepsake.domain.sessions.with_conversation import FORM, join_prompts, split_parts
from keepsake.domain.summaries import conversation_prompt
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import items_of, text_of
from keepsake.domain.summaries.prompt import SummaryPrompt

FIRST, SECOND = (Citable(text, message_ids=(UUID(int=n),)) for n, text in enumerate(("I live in Graz", "I have a dog")))
TODO = Citable("Call the vet", kind="to-do, open", row_id=UUID(int=9))


def of_session(*texts: Citable) -> SummaryPrompt:
    """The prompt for the session alone."""
    return SummaryPrompt.of("session", NOTES, texts, name="Ada", plans=["Learn Greek"])


CONVERSATION = SummaryPrompt.of("conversation", conversation_prompt.FORM, [FIRST, SECOND], name="Ada")


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
    notes, summary = split_parts(prompt.form.read(json.dumps(reply), prompt.evidence).content)
    assert notes is not None
    assert summary is not None
    assert (text_of(notes, "one_liner"), items_of(notes, "commitments")) == ("Ada has a dog.", ["Call the vet"])
    assert text_of(summary, "summary") == "Ada lives in Graz. Ada has a dog."


def test_a_part_without_anything_that_is_supported__is_none() -> None:
    prompt = joined(SECOND)
    reply = {"one_liner": "Ada lives in Graz [1].", "summary": "Ada has a dog [2].", "tone": ""}
    notes, summary = split_parts(prompt.form.read(json.dumps(reply), prompt.evidence).content)
    assert (notes, summary is None) == (None, False)


def test_a_session_with_a_message_of_another_conversation__is_asked_about_alone() -> None:
    other = Citable("I like tea", message_ids=(UUID(int=7),))
    assert join_prompts(of_session(SECOND, other), CONVERSATION) is None
    remembered = Citable("Has a dog", kind="remembered", memory_ids=(UUID(int=8),))
    assert join_prompts(of_session(remembered), CONVERSATION) is None
