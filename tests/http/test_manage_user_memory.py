"""``manage-user-memory`` over HTTP, and its schema as a model's host takes it."""

from __future__ import annotations

from typing import Any

import pytest
from openai.types.chat import ChatCompletionFunctionToolParam
from pydantic import TypeAdapter

from bench.speed.module_trace import limited, traced
from keepsake.contracts.manage_user_memory import ToolArguments
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person

NAME = "manage-user-memory"
MAX_MODULES = 14


async def test_an_agent__adds_reads_and_takes_back(functions: Functions, scene: Scene) -> None:
    turn = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I work out in the morning."))}
    added = (
        await functions.call(NAME, {"operation": "add_fact", "content": "User prefers morning workouts", **turn})
    ).json()
    assert (added["status"], added["message"]) == ("done", "Remembered: Prefers morning workouts (M-2).")
    document = (await functions.call(NAME, {"operation": "get_memory", **turn})).json()["document"]
    (fact,) = [one for one in document["facts"] if one["id"] == added["fact_id"]]
    assert (fact["content"], fact["is_active"], fact["source_message_id"]) == (
        "Prefers morning workouts",
        True,
        turn["message_id"],
    )
    assert document["metadata"]["schema_version"] == "1.0"
    own = as_person(scene.ada)
    gone = await functions.call(NAME, {"operation": "deactivate_fact", "fact_id": added["fact_id"]}, headers=own)
    assert (gone.json()["status"], scene.told()) == ("done", [])


@pytest.mark.parametrize(
    "body, named",
    [
        ({"operation": "fly"}, "operation"),
        ({"operation": "add_fact"}, "content"),
        ({"operation": "add_poi", "place_id": "home"}, "place_name"),
        ({"operation": "forget"}, "fact_id or subject"),
        ({"operation": "forget", "subject": "Rex", "fact_id": "M-1"}, "fact_id or subject"),
        ({"operation": "get_memory", "content": "x"}, "content"),
        ({"operation": "deactivate_fact", "fact_id": "twelve"}, "fact_id"),
        ({"operation": "add_fact", "content": "Likes tea\u0000"}, "content"),
        ({"operation": "get_memory", "message_id": "9f8e7d6c-5b4a-4c3d-9e2f-1a0b9c8d7e6f"}, "conversation_id"),
    ],
)
async def test_a_call_that_cannot_be_meant__is_400_naming_the_field(
    functions: Functions, scene: Scene, body: dict[str, Any], named: str
) -> None:
    answer = await functions.call(NAME, body, headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")
    assert named in answer.json()["details"]


async def test_add_fact__passes_through_few_modules(functions: Functions, scene: Scene) -> None:
    """Of the endpoints, contracts, use cases and store; the first call opens connections and fills caches.

    Thirteen, and the second screening where the embedding model of the process is loaded.
    """
    for content in ("User prefers morning workouts", "User's favorite color is green"):
        body = {"operation": "add_fact", "content": content, "user_id": str(scene.ada.user_id)}
        with traced() as modules:
            added = await functions.call(NAME, body)
        assert added.json()["status"] == "done"
    found = limited(modules)
    assert {f"{layer}/manage_user_memory" for layer in ("endpoints", "contracts", "usecases")} < set(found)
    assert len(found) <= MAX_MODULES, found


async def test_a_service__says_for_whom(functions: Functions, scene: Scene) -> None:
    assert (await functions.call(NAME, {"operation": "get_memory"})).status_code == 400
    body = {"operation": "get_memory", "user_id": str(scene.ada.user_id)}
    assert (await functions.call(NAME, body)).status_code == 200
    eve = scene.people.person("Eve")
    assert (await functions.call(NAME, body, headers=as_person(eve))).status_code == 404


async def test_forget__of_a_subject_takes_what_an_agent_once_stated(functions: Functions, scene: Scene) -> None:
    """What is past and the agent's own is forgotten at once."""
    call = {"user_id": str(scene.ada.user_id)}
    for content in ("User works at Siemens", "User works at Bosch"):
        assert (await functions.call(NAME, {**call, "operation": "add_fact", "content": content})).status_code == 200
    done = (await functions.call(NAME, {**call, "operation": "forget", "subject": "Siemens"})).json()
    assert (done["status"], [one["text"] for one in done["memories"]]) == ("done", ["Works at Siemens"])
    assert "Siemens" not in (await functions.call(NAME, {**call, "operation": "get_memory"})).text
    assert scene.told() == ["Works at Bosch"]


async def test_forget__of_what_the_person_said_once_waits_for_their_answer(functions: Functions, scene: Scene) -> None:
    """The question names what is past, the answer forgets it, and opens the fold that tells it on."""
    call = {"user_id": str(scene.ada.user_id)}
    await scene.tell("I work at Siemens")
    await scene.tell("I work at Bosch now")
    fold = scene.people.memory(scene.ada, "Visited Rome and Turin", source="curated_fold")
    for text in ("Visited Rome with Siemens", "Visited Turin"):
        scene.people.memory(scene.ada, text, status="archived", folded_into=fold, archived_at=scene.clock.now())
    asked = (await functions.call(NAME, {**call, "operation": "forget", "subject": "Siemens"})).json()
    texts = {"Works at Siemens", "Visited Rome with Siemens"}
    assert (asked["status"], {one["text"] for one in asked["memories"]}) == ("pending", texts)
    with scene.db.as_person(scene.ada.user_id) as connection:
        (row,) = connection.execute("select * from public.pending_operations()").fetchall()
        assert {one["text"] for one in row["memories"]} == texts
        connection.execute("select public.answer_pending_operation(%s, true)", (row["operation_id"],))
    assert "Siemens" not in (await functions.call(NAME, {**call, "operation": "get_memory"})).text
    assert sorted(scene.told()) == ["Visited Turin", "Works at Bosch"]


PRIVATE = "Has depression"


@pytest.mark.parametrize(
    "call, said",
    [
        ({"operation": "forget", "subject": "depression"}, "Hi"),
        ({"operation": "forget", "fact_id": "M-2"}, "Hi"),
        ({"operation": "forget", "fact_id": "M-3"}, "Hi"),
        ({"operation": "deactivate_fact", "fact_id": "M-2"}, "Hi"),
        ({"operation": "deactivate_fact", "fact_id": "M-3"}, "Hi"),
        ({"operation": "forget", "subject": "depression"}, "Forget my depression"),
        ({"operation": "command", "content": "Forget my depression"}, "Forget my depression"),
        ({"operation": "command", "content": "What do you know about my depression?"}, "Hi"),
        ({"operation": "command", "content": "x"}, "What do you know about my depression?"),
        ({"operation": "get_memory"}, "Hi"),
        ({"operation": "add_fact", "content": "User has depression"}, "Hi"),
        ({"operation": "add_fact", "content": "User does not have depression"}, "Hi"),
        ({"operation": "remember", "content": "I have depression"}, "I have depression"),
    ],
)
async def test_where_others_read__no_call_tells_what_is_private(
    functions: Functions, scene: Scene, call: dict[str, str], said: str
) -> None:
    """Whatever an agent calls: it gets the number of what is private, and the text of what is not."""
    ben = scene.people.person("Ben")
    chat = scene.people.conversation(scene.ada, ben, mode="together")
    private = (PRIVATE, "Takes pills against depression")
    scene.people.memory(scene.ada, private[0], source="rule_extraction", confidence_score=1)
    scene.people.memory(scene.ada, private[1], source="agent_tool", confidence_score=0.7)
    scene.clock.advance(minutes=1)
    where = {"conversation_id": str(chat), "message_id": str(scene.says(said, chat=chat))}
    answer = await functions.call(NAME, {**call, **where})
    assert answer.status_code == 200, answer.text
    assert not [text for text in private if text.casefold() in answer.text.casefold()]


async def test_where_others_read__the_number_of_what_is_private_is_told(functions: Functions, scene: Scene) -> None:
    ben = scene.people.person("Ben")
    chat = scene.people.conversation(scene.ada, ben, mode="together")
    scene.people.memory(scene.ada, PRIVATE, source="rule_extraction")
    scene.people.memory(scene.ada, "Reads about Norway", source="rule_extraction")
    where = {"conversation_id": str(chat), "message_id": str(scene.says("Hi", chat=chat))}
    told = {}
    for subject in ("depression", "Norway"):
        body = {"operation": "forget", "subject": subject, **where}
        told[subject] = (await functions.call(NAME, body)).json()["memories"]
    assert [(one["ref"], one["text"]) for one in told["depression"]] == [("M-2", "")]
    assert [(one["ref"], one["text"]) for one in told["Norway"]] == [("M-3", "Reads about Norway")]


@pytest.mark.parametrize("path", [f"/functions/v1/{NAME}/schema", f"/{NAME}/schema", "/schema"])
async def test_the_schema__is_a_tool_as_the_sdk_has_it(functions: Functions, path: str) -> None:
    answer = await functions.send("GET", NAME, path=path)
    assert answer.status_code == 200
    tool = TypeAdapter(ChatCompletionFunctionToolParam).validate_python(answer.json(), strict=True)
    function = tool["function"]
    parameters: dict[str, Any] = dict(function.get("parameters", {}))
    assert (function["name"], function.get("strict")) == ("manage_user_memory", True)
    # What strict schemas ask for: every field required, nothing beside them.
    assert parameters["required"] == list(parameters["properties"]) == list(ToolArguments.model_fields)
    assert parameters["additionalProperties"] is False
    assert (await functions.send("POST", NAME, path=path)).status_code == 405


def test_every_operation__takes_what_a_strict_model_fills_in() -> None:
    """A model that has to give every field gives null for those that do not apply."""
    empty = dict.fromkeys(name for name in ToolArguments.model_fields if name != "operation")
    calls: dict[str, dict[str, Any]] = {
        "add_fact": {"content": "Likes tea"},
        "deactivate_fact": {"fact_id": "M-1"},
        "add_poi": {"place_id": "home", "place_name": "Home"},
        "get_memory": {},
        "remember": {"content": "I like tea", "only_this_persona": True},
        "forget": {"subject": "tea"},
        "command": {"content": "forget that"},
    }
    for operation, given in calls.items():
        assert ToolArguments.model_validate({**empty, **given, "operation": operation}).operation == operation
