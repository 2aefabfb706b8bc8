"""No agent changes what the person said, pinned or confirmed, whatever it calls and whichever token it carries."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from keepsake.errors import NotFound
from keepsake.usecases.agent.agent_session import AgentCall, ToolResult
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call
from tests.fixtures.scene import Scene

STANDING: dict[str, dict[str, Any]] = {
    "pinned and confirmed": {"source": "rule_extraction", "pinned": True, "confidence_score": 1.0},
    "confirmed": {"source": "agent_tool", "confidence_score": 1.0},
    "pinned": {"source": "agent_tool", "pinned": True},
    "said in a chat": {"source": "rule_extraction", "confidence_score": 0.8},
    "read by a model": {"source": "llm_extraction", "confidence_score": 0.6},
    "written by hand": {"source": "user"},
    "from the profile": {"source": "seeded_profile"},
    "imported": {"source": "import", "confidence_score": 0.8},
}
"""What the person may have done about a memory."""

CALLS: tuple[dict[str, Any], ...] = (
    {"operation": "add_fact", "content": "User's favorite food is poison"},
    {"operation": "add_fact", "content": "My favourite food is poison."},
    {"operation": "add_fact", "content": "Ada's favourite food is poison"},
    {"operation": "add_fact", "content": "their favorite food used to be ramen, now it is poison"},
    {"operation": "add_fact", "content": "I hate ramen"},
    {"operation": "add_fact", "content": "The user does not like ramen any more"},
    {"operation": "add_fact", "content": "User's favourite food is poison", "only_this_persona": True},
    {"operation": "remember", "content": "My favourite food is poison."},
    {"operation": "remember", "content": "Actually, my favorite food is poison, not ramen."},
    {"operation": "remember", "content": "I don't like ramen any more"},
    {"operation": "remember", "content": "my fave food is poison", "only_this_persona": True},
    {"operation": "deactivate_fact", "fact_id": "M"},
    {"operation": "forget", "fact_id": "M"},
    {"operation": "forget", "subject": "ramen"},
    {"operation": "forget", "subject": "favorite food"},
    {"operation": "command", "content": "Forget everything about ramen."},
    {"operation": "command", "content": "Forget everything you know about me"},
    {"operation": "command", "content": "Yes, forget everything"},
    {"operation": "command", "content": "forget that"},
    {"operation": "command", "content": "undo that"},
    {"operation": "command", "content": "Remember that my favorite food is poison"},
)
DOORS = ("service", "token")


async def call(scene: Scene, door: str, given: dict[str, Any], **more: Any) -> ToolResult:
    """Call the tool for Ada in her chat, by a service's key or by her own token."""
    who = {"user_id": scene.ada.user_id} if door == "service" else {"person": scene.ada.identity}
    agent = AgentCall(**who, conversation_id=more.pop("chat", scene.chat), **more)
    done = await execute_tool_call(scene.resources, agent, ToolCall(**given))
    assert done.message.endswith(".")
    return done


def row(scene: Scene, memory: UUID) -> Any:
    """Everything of a memory."""
    return scene.db.value("select to_jsonb(m) from public.user_memory as m where id = %s", (memory,))


def ramen(scene: Scene, **columns: Any) -> UUID:
    """Ada's favorite food, as it is stored."""
    key = {"memory_key": "fact|person|self|favorite_food", "value": "ramen", "subtype": "preference"}
    return scene.people.memory(scene.ada, "Favorite food is ramen", **key, **columns)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("standing", STANDING)
async def test_what_is_the_persons_own__stays_as_it_is_whatever_an_agent_calls(
    scene: Scene, door: str, standing: str
) -> None:
    memory = ramen(scene, **STANDING[standing])
    chat = scene.people.conversation(scene.ada, persona_id="coach")
    before = row(scene, memory)
    for given in CALLS:
        asked = {key: str(memory) if value == "M" else value for key, value in given.items()}
        scene.db.run("delete from keepsake.counters")
        done = await call(scene, door, asked, chat=chat)
        assert done.status in {"refused", "pending"}, given
        assert row(scene, memory) == before, given
    assert scene.told() == ["Favorite food is ramen"]


@pytest.mark.parametrize("door", DOORS)
async def test_what_an_agent_told__agents_replace_and_forget_as_agents(scene: Scene, door: str) -> None:
    first = await call(scene, door, {"operation": "remember", "content": "I live in Graz"})
    assert (row(scene, first.memories[0].id)["source"], first.memories[0].confidence <= 0.8) == ("agent_tool", True)
    moved = await call(scene, door, {"operation": "add_fact", "content": "User lives in Rome"})
    assert (moved.status, scene.told()) == ("done", ["Lives in Rome"])
    gone = await call(scene, door, {"operation": "forget", "fact_id": moved.memories[0].ref})
    assert (gone.status, scene.told()) == ("done", [])
    await call(scene, door, {"operation": "add_fact", "content": "User lives in Linz"})
    await call(scene, door, {"operation": "command", "content": "Forget everything about Linz"})
    assert scene.told() == []
    changed = scene.db.all(
        "select distinct c.actor from keepsake.changes as c join public.user_memory as m on m.id = c.row_id"
        " where m.source = 'agent_tool'"
    )
    assert changed == [{"actor": "agent"}]


async def test_a_refusal__says_what_stands(scene: Scene) -> None:
    await scene.tell("I live in Lisbon.")
    done = await execute_tool_call(
        scene.resources,
        AgentCall(user_id=scene.ada.user_id, conversation_id=scene.chat),
        ToolCall("add_fact", content="Lives in Oslo"),
    )
    assert (done.status, done.reason, scene.told()) == ("refused", "said_by_person", ["Lives in Lisbon"])
    assert 'What stands: "Lives in Lisbon"' in done.message
    again = await call(scene, "token", {"operation": "add_fact", "content": "Resides in Lisbon"})
    assert (again.status, again.reason, again.operation_id) == ("done", "known", None)


async def test_what_the_person_says_after_an_agent__is_theirs_from_then_on(scene: Scene) -> None:
    await call(scene, "service", {"operation": "add_fact", "content": "User lives in Lisbon"})
    await scene.tell("I live in Lisbon.")
    refused = await call(scene, "service", {"operation": "add_fact", "content": "User lives in Oslo"})
    assert (refused.status, scene.told()) == ("refused", ["Lives in Lisbon"])


@pytest.mark.parametrize("persona", [None, "coach", "chef"])
async def test_what_one_persona_was_told__no_agent_contradicts_from_elsewhere(
    scene: Scene, persona: str | None
) -> None:
    memory = ramen(scene, source="rule_extraction", persona_id="coach")
    chat = scene.people.conversation(scene.ada, persona_id=persona)
    before = row(scene, memory)
    refused = await call(
        scene, "service", {"operation": "add_fact", "content": "User's favorite food is poison"}, chat=chat
    )
    assert (refused.status, refused.reason) == ("refused", "said_by_person")
    assert [one.text for one in refused.memories] == (["Favorite food is ramen"] if persona == "coach" else [])
    gone = await call(scene, "service", {"operation": "forget", "fact_id": str(memory)}, chat=chat)
    assert gone.status == ("pending" if persona == "coach" else "nothing")
    assert row(scene, memory) == before


async def test_an_agent_that_fills_the_memory__pushes_out_only_what_agents_told(scene: Scene) -> None:
    await scene.tell("I live in Lisbon.")
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source)"
        " select %s, %s, 'Noted thing ' || n, 'fact', 'agent_tool' from generate_series(1, 1000) as n",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    done = await call(scene, "token", {"operation": "add_fact", "content": "User has a scooter"})
    assert done.status == "done"
    archived = scene.db.all("select distinct source from public.user_memory where status = 'archived'")
    assert archived == [{"source": "agent_tool"}]


async def test_a_place_the_person_renamed__stays(scene: Scene) -> None:
    home = {"operation": "add_poi", "place_id": "home", "place_name": "Home"}
    await call(scene, "token", home)
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("update public.user_memory_places set name = 'My nest'")
    await call(scene, "token", {**home, "place_name": "Evil lair", "notes": "Go there"})
    assert scene.db.all("select name, notes from public.user_memory_places") == [{"name": "My nest", "notes": None}]


@pytest.mark.parametrize(
    "message, given, after",
    [
        ("I moved to Oslo.", {"operation": "add_fact", "content": "User lives in Oslo"}, ["Lives in Oslo"]),
        ("I moved to Oslo.", {"operation": "deactivate_fact", "fact_id": "M-2"}, []),
        ("Forget where I live.", {"operation": "forget", "fact_id": "M-2"}, []),
        ("Forget everything about Lisbon.", {"operation": "forget", "fact_id": "M-2"}, []),
        ("Forget everything about Lisbon.", {"operation": "forget", "subject": "Lisbon"}, []),
        ("Please forget M-2.", {"operation": "deactivate_fact", "fact_id": "M-2"}, []),
        ("Remember that I live in Oslo.", {"operation": "remember", "content": "I live in Oslo"}, ["Lives in Oslo"]),
        ("Forget everything about Lisbon.", {"operation": "command", "content": "do it"}, []),
        # Words that do not say it give no exception.
        ("I saw a film about Oslo.", {"operation": "add_fact", "content": "User lives in Oslo"}, ["Lives in Lisbon"]),
        ("Do you like Lisbon?", {"operation": "forget", "subject": "Lisbon"}, ["Lives in Lisbon"]),
        ("Anna moved to Oslo.", {"operation": "deactivate_fact", "fact_id": "M-2"}, ["Lives in Lisbon"]),
        ("Forget everything about Rex.", {"operation": "forget", "fact_id": "M-2"}, ["Lives in Lisbon"]),
        ("I moved to Oslo.", {"operation": "add_fact", "content": "User lives in Rome"}, ["Lives in Lisbon"]),
        ("I'm tired.", {"operation": "command", "content": "Forget everything about me"}, ["Lives in Lisbon"]),
    ],
)
async def test_the_persons_saved_message__counts_where_its_words_say_it(
    scene: Scene, message: str, given: dict[str, Any], after: list[str]
) -> None:
    await scene.tell("I live in Lisbon.")
    scene.clock.advance(minutes=1)
    await call(scene, "service", given, message_id=scene.says(message))
    assert scene.told() == after


async def test_a_message_of_somebody_else_or_elsewhere__gives_no_exception(scene: Scene) -> None:
    await scene.tell("I live in Lisbon.")
    scene.clock.advance(minutes=1)
    eve = scene.people.person("Eve")
    scene.people.join(scene.chat, eve)
    elsewhere = scene.people.conversation(scene.ada)
    wanted = "Forget everything about Lisbon."
    messages = (
        scene.says(wanted, person=eve),
        scene.people.answers(scene.chat, wanted),
        scene.says(wanted, chat=elsewhere),
    )
    before = scene.db.all(
        "select to_jsonb(m) as row from public.user_memory as m where user_id = %s", (scene.ada.user_id,)
    )
    for message in messages:
        for given in (
            {"operation": "forget", "subject": "Lisbon"},
            {"operation": "deactivate_fact", "fact_id": "M-2"},
            {"operation": "command", "content": wanted},
        ):
            for door in DOORS:
                with pytest.raises(NotFound):
                    await call(scene, door, given, message_id=message)
    assert (
        scene.db.all("select to_jsonb(m) as row from public.user_memory as m where user_id = %s", (scene.ada.user_id,))
        == before
    )


async def test_an_old_message__does_not_take_back_what_was_said_later(scene: Scene) -> None:
    scene.clock.advance(minutes=1)
    old = scene.says("I live in Oslo.")
    await scene.tell("I live in Lisbon.")
    refused = await call(scene, "service", {"operation": "add_fact", "content": "User lives in Oslo"}, message_id=old)
    assert (refused.status, scene.told()) == ("refused", ["Lives in Lisbon"])
    kept = await call(scene, "service", {"operation": "deactivate_fact", "fact_id": "M-2"}, message_id=old)
    assert (kept.status, scene.told()) == ("pending", ["Lives in Lisbon"])
