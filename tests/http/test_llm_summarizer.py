"""``llm-summarizer`` over HTTP, as a chat backend calls it."""

from __future__ import annotations

from uuid import uuid4

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions


async def test_a_conversation__is_summarized_now(functions: Functions, scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    answer = await functions.call("llm-summarizer", {"conversation_id": str(scene.chat)})
    summary = answer.json()["summary"]
    assert summary.startswith("From the messages of Ada: ")
    assert summary.endswith(": “I live in Graz”.")
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "status": "written",
            "summary": summary,
            "rolling_summary": summary,
            "generator": "rules",
            "version": 1,
            "messages_covered": 1,
            "through_message_id": str(message),
        },
    )


async def test_without_turns__there_is_no_summary(functions: Functions, scene: Scene) -> None:
    answer = await functions.call("llm-summarizer", {"conversation_id": str(scene.chat)})
    assert answer.json() == {
        "status": "unchanged",
        "summary": None,
        "rolling_summary": None,
        "generator": None,
        "version": None,
        "messages_covered": 0,
        "through_message_id": None,
    }


async def test_an_unknown_conversation__is_404(functions: Functions) -> None:
    answer = await functions.call("llm-summarizer", {"conversation_id": str(uuid4())})
    assert answer.status_code == 404
