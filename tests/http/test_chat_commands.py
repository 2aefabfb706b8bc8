"""Chat commands over HTTP, as people type them: each is carried out, or answered with a reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.fixtures.resources import use_resources
from tests.fixtures.scene import Scene
from tests.http.conftest import AS_SERVICE, Functions


async def ask(functions: Functions, scene: Scene, text: str) -> dict[str, Any]:
    """The answer of ``inject-memory`` to a saved message, a minute later."""
    scene.clock.advance(minutes=1)
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says(text))}
    answer = await functions.call("inject-memory", body)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()
    return result


KNOWN = (
    "I love pizza",
    "I like sushi",
    "My favorite color is green",
    "I live in Rome",
    "My friend Pilar is a nurse",
    "My husband is a teacher",
    "My husband works at Siemens",
    "My husband is 41",
)


@pytest.mark.parametrize(
    "said, forgotten",
    [
        ("forget pizza", ["Loves pizza"]),
        ("forget about sushi", ["Likes sushi"]),
        ("forget all my preferences", ["Loves pizza", "Likes sushi", "Favorite color is green"]),
        ("forget that I said anything about Pilar", ["Friend Pilar is a nurse"]),
        ("Mona, forget my favorite color", ["Favorite color is green"]),
        ("bot, forget pizza", ["Loves pizza"]),
        ("Delete what you know about my husband's job", ["Husband is a teacher", "Husband works at Siemens"]),
    ],
)
async def test_forget__is_carried_out_and_lists_what_it_forgot(
    functions: Functions, scene: Scene, said: str, forgotten: list[str]
) -> None:
    for known in KNOWN:
        await scene.tell(known)
    before = scene.told()
    scene.db.run("update public.conversations set persona_id = 'Mona' where id = %s", (scene.chat,))
    answer = await ask(functions, scene, said)
    assert answer["command_result"]["status"] == "done"
    assert sorted(scene.told()) == sorted(set(before) - set(forgotten))
    assert all(f'"{text}"' in answer["context"] for text in forgotten)


@pytest.mark.parametrize(
    "said",
    [
        "forget pasta",
        "forget it",
        "forget the last step",
        "forget about work",
        "forget pizza, let's get sushi",
        "Sam, forget pizza",
        "turn off the lights",
        "yes",
        "undo",
    ],
)
async def test_words_that_may_be_no_command__are_none(functions: Functions, scene: Scene, said: str) -> None:
    await scene.tell("I love pizza")
    await scene.tell("thanks for the help")
    answer = await ask(functions, scene, said)
    assert answer["command_result"] is None
    assert scene.told() == ["Loves pizza"]


async def test_bot_remember__remembers(functions: Functions, scene: Scene) -> None:
    answer = await ask(functions, scene, "Bot remember that I live in Rome")
    assert answer["command_result"]["status"] == "done"
    assert scene.told() == ["Lives in Rome"]


async def test_yes__answers_the_question_whether_to_forget_everything(functions: Functions, scene: Scene) -> None:
    await scene.tell("I love pizza")
    asked = await ask(functions, scene, "forget everything")
    assert "a confirmation is pending" in asked["context"]
    done = await ask(functions, scene, "yes")
    assert (done["command_result"]["kind"], done["command_result"]["status"]) == ("forget_all", "done")
    assert scene.told() == []


async def test_yes__answers_nothing_after_another_message(functions: Functions, scene: Scene) -> None:
    await scene.tell("I love pizza")
    await ask(functions, scene, "forget everything")
    await ask(functions, scene, "what is the weather like")
    answer = await ask(functions, scene, "yes")
    assert answer["command_result"] is None
    assert scene.told() == ["Loves pizza"]


async def test_undo__reverts_what_the_previous_message_did(functions: Functions, scene: Scene) -> None:
    await scene.tell("I live in Rome")
    await scene.tell("I moved to Oslo")
    assert scene.told() == ["Lives in Oslo"]
    result = (await ask(functions, scene, "undo"))["command_result"]
    assert (result["status"], result["reason"]) == ("done", "removed")
    assert 'no longer remembered: "Lives in Oslo"' in result["message"]
    assert scene.told() == ["Lives in Rome"]


async def test_undo__of_an_undo_says_what_is_forgotten_again(functions: Functions, scene: Scene) -> None:
    await scene.tell("I live in Rome")
    await ask(functions, scene, "forget that")
    await ask(functions, scene, "undo that")
    result = (await ask(functions, scene, "undo that"))["command_result"]
    assert (result["status"], result["reason"]) == ("done", "removed")
    assert 'no longer remembered: "Lives in Rome"' in result["message"]
    assert scene.told() == []


async def test_refusal__says_why(functions: Functions, scene: Scene) -> None:
    result = (await ask(functions, scene, "remember that my PIN is 4821"))["command_result"]
    assert (result["status"], result["reason"]) == ("refused", "secret")
    assert "4821" not in result["message"]


async def test_pause_and_resume__by_chat(functions: Functions, scene: Scene) -> None:
    paused = await ask(functions, scene, "please pause your memory")
    assert (paused["command_result"]["kind"], paused["command_result"]["status"]) == ("pause", "done")
    assert (await scene.tell("I love pizza")).reason == "paused"
    resumed = await ask(functions, scene, "start remembering again")
    assert (resumed["command_result"]["kind"], resumed["command_result"]["status"]) == ("resume", "done")
    await scene.tell("I live in Rome")
    assert scene.told() == ["Lives in Rome"]


@pytest.mark.parametrize("said", ["Mona, forget pizza", "Hal: forget pizza"])
async def test_command__may_address_the_assistant_by_a_configured_name(
    functions: Functions, scene: Scene, said: str
) -> None:
    await scene.tell("I love pizza")
    assert (await ask(functions, scene, said))["command_result"] is None
    named = scene.resources.settings.model_copy(update={"assistant_names": "Mona, Hal"})
    with use_resources(replace(scene.resources, settings=named)):
        answer = await ask(functions, scene, said)
    assert answer["command_result"]["status"] == "done"
    assert scene.told() == []


@pytest.mark.parametrize(
    "said, line",
    [
        ("Please keep your answers short", "Prefers short answers"),
        ("always answer in Spanish", "Prefers answers in Spanish"),
        ("use metric units", "Prefers metric units"),
        ("explain it as to a beginner", "Prefers explanations for a beginner"),
    ],
)
async def test_an_answer_preference__has_a_line_of_its_own(
    functions: Functions, scene: Scene, said: str, line: str
) -> None:
    await scene.tell(said)
    answer = await ask(functions, scene, "what is the capital of France?")
    assert f'How this person wants to be answered: "{line}"' in answer["context"]
    assert (answer["memory_count"], answer["memories"]) == (0, [])


async def test_an_answer_preference__takes_the_place_of_the_one_before(functions: Functions, scene: Scene) -> None:
    await scene.tell("always answer in Spanish")
    await scene.tell("always answer in German")
    assert scene.told() == ["Prefers answers in German"]


async def test_call_me__is_in_the_identity_line(functions: Functions, scene: Scene) -> None:
    await scene.tell("call me Dan")
    answer = await ask(functions, scene, "hello there")
    assert 'Talking with: "Dan"' in answer["context"]


async def test_an_answer__takes_its_subject_from_the_question(functions: Functions, scene: Scene) -> None:
    scene.people.answers(scene.chat, "Do you have any allergies?")
    assert [memory.text for memory in (await scene.tell("yeah peanuts")).memories] == ["Allergic to peanuts"]


async def test_a_message_in_another_language__ends_with_the_reason(functions: Functions, scene: Scene) -> None:
    scene.clock.advance(minutes=1)
    message = scene.says("Ich fürchte, meine Katze hat die Nachrichten gefressen")
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    answer = (await functions.call("extract-user-memory", body)).json()
    assert (answer["status"], answer["reason"]) == ("extracted", "language")
    again = (await functions.call("extract-user-memory", body)).json()
    assert (again["status"], again["reason"]) == ("duplicate", "language")
    metrics = (await functions.send("GET", "metrics", headers=AS_SERVICE)).text
    assert 'keepsake_extractions_total{reason="language",status="extracted"} 1.0' in metrics
