"""What an agent asks to have forgotten waits for the person: their next context asks, and chat or an RPC answers."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg
import pytest

from keepsake.usecases.agent.agent_session import AgentCall, ToolResult
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.erase_memories import EraseRequest as Erasure
from keepsake.usecases.erase_memories import erase_memories
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene

ASKED = 'Memory request: An assistant asks to forget "Lives in Lisbon" (M-2).'


async def forget(scene: Scene, **given: Any) -> ToolResult:
    """An agent asks to forget where Ada lives."""
    agent = AgentCall(person=scene.ada.identity)
    return await execute_tool_call(
        scene.resources, agent, ToolCall(**{"operation": "forget", "fact_id": "M-2", **given})
    )


async def ask(scene: Scene, text: str, *, chat: UUID | None = None, save: str = "after") -> Injected:
    """A context for a message of Ada's, saved before it or after."""
    scene.clock.advance(minutes=1)
    where = chat or scene.chat
    if save == "before":
        return await inject_memory(scene.resources, ContextRequest(where, message_id=scene.says(text, chat=where)))
    injected = await inject_memory(scene.resources, ContextRequest(where, user_id=scene.ada.user_id, user_message=text))
    await chat_send(scene.resources, conversation_id=where, message_id=scene.says(text, chat=where))
    return injected


def answer(scene: Scene, pending: UUID | None, person: Account, *, accept: bool) -> dict[str, Any]:
    """Answer as a person does through REST."""
    with scene.db.as_person(person.user_id) as connection:
        row = connection.execute("select public.answer_pending_operation(%s, %s) as done", (pending, accept)).fetchone()
    assert row is not None
    done: dict[str, Any] = row["done"]
    return done


@pytest.fixture
async def pending(scene: Scene) -> ToolResult:
    """An agent has asked; nothing has happened."""
    await scene.tell("I live in Lisbon.")
    asked = await forget(scene)
    assert (asked.status, asked.reason, scene.told()) == ("pending", "needs_answer", ["Lives in Lisbon"])
    return asked


@pytest.mark.parametrize("save", ["before", "after"])
async def test_yes__carries_it_out_once_and_it_can_be_undone(scene: Scene, pending: ToolResult, save: str) -> None:
    assert (await forget(scene)).operation_id == pending.operation_id
    assert ASKED in (await ask(scene, "Hello!", save=save)).context
    agreed = await ask(scene, "Yes, please.", save=save)
    assert agreed.command is not None
    assert (agreed.command.kind, agreed.command.status, scene.told()) == ("accept_request", "done", [])
    assert "an assistant asked and the person agreed" in agreed.context
    assert ASKED not in agreed.context
    undone = await ask(scene, "undo that", save=save)
    assert undone.command is not None
    assert (undone.command.status, scene.told()) == ("done", ["Lives in Lisbon"])


@pytest.mark.parametrize(
    "said, kept",
    [("no", True), ("No, keep it!", True), ("Actually, keep it", True), ("yep", False), ("Yes, forget it", False)],
)
async def test_a_plain_answer__is_one_and_ends_it(scene: Scene, pending: ToolResult, said: str, *, kept: bool) -> None:
    await ask(scene, "Hello!")
    assert (await ask(scene, said)).command is not None
    assert scene.told() == (["Lives in Lisbon"] if kept else [])
    assert "Memory request" not in (await ask(scene, "What is new?")).context
    with pytest.raises(psycopg.DatabaseError, match="answered already"):
        answer(scene, pending.operation_id, scene.ada, accept=True)


async def test_a_yes_before_it_was_asked__is_none(scene: Scene, pending: ToolResult) -> None:
    assert (await ask(scene, "yes")).command is None
    assert (scene.told(), pending.status) == (["Lives in Lisbon"], "pending")


async def test_a_yes_in_another_conversation__is_none(scene: Scene, pending: ToolResult) -> None:
    other = scene.people.conversation(scene.ada)
    assert ASKED in (await ask(scene, "Hello!", save="before")).context
    scene.clock.advance(minutes=1)
    await chat_send(scene.resources, conversation_id=other, message_id=scene.says("yes", chat=other))
    assert scene.told() == ["Lives in Lisbon"]


async def test_a_yes_after_other_words__is_none(scene: Scene, pending: ToolResult) -> None:
    await ask(scene, "Hello!", save="before")
    scene.clock.advance(minutes=1)
    scene.says("By the way, is it raining?")
    scene.clock.advance(minutes=1)
    await chat_send(scene.resources, conversation_id=scene.chat, message_id=scene.says("yes"))
    assert scene.told() == ["Lives in Lisbon"]


async def test_after_a_day__it_is_neither_asked_nor_answered(scene: Scene, pending: ToolResult) -> None:
    await ask(scene, "Hello!", save="before")
    scene.clock.advance(hours=25)
    assert (await ask(scene, "yes")).command is None
    assert "Memory request" not in (await ask(scene, "Hello again!")).context
    scene.db.run("update keepsake.commands set created_at = created_at - interval '25 hours'")
    with pytest.raises(psycopg.DatabaseError, match="expired"):
        answer(scene, pending.operation_id, scene.ada, accept=True)
    assert scene.told() == ["Lives in Lisbon"]


@pytest.mark.parametrize("accept", [True, False])
async def test_by_rpc__the_person_sees_and_answers_it_and_nobody_else_does(
    scene: Scene, pending: ToolResult, *, accept: bool
) -> None:
    eve = scene.people.person("Eve")
    with pytest.raises(psycopg.DatabaseError, match="not yours"):
        answer(scene, pending.operation_id, eve, accept=True)
    for person, count in ((scene.ada, 1), (eve, 0)):
        with scene.db.as_person(person.user_id) as connection:
            rows = connection.execute("select * from public.pending_operations()").fetchall()
        assert len(rows) == count
    done = answer(scene, pending.operation_id, scene.ada, accept=accept)
    assert (done["affected"], scene.told()) == ((1, []) if accept else (0, ["Lives in Lisbon"]))
    if accept:
        with scene.db.as_person(scene.ada.user_id) as connection:
            connection.execute("select public.undo_operation(%s)", (done["operation_id"],))
        assert scene.told() == ["Lives in Lisbon"]


async def test_deactivate_fact__waits_too_and_archives(scene: Scene) -> None:
    await scene.tell("I live in Lisbon.")
    asked = await forget(scene, operation="deactivate_fact")
    assert asked.status == "pending"
    answer(scene, asked.operation_id, scene.ada, accept=True)
    assert scene.people.memories(scene.ada, status="archived") == ["Lives in Lisbon"]


async def test_where_others_read__the_question_is_not_asked(scene: Scene, pending: ToolResult) -> None:
    together = scene.people.conversation(scene.ada, mode="together")
    assert "Memory request" not in (await ask(scene, "Hello!", chat=together)).context
    assert ASKED in (await ask(scene, "Hello!")).context
    assert pending.operation_id is not None


async def test_an_agents_own_yes__answers_nothing(scene: Scene, pending: ToolResult) -> None:
    await ask(scene, "Hello!", save="before")
    for content in ("yes", "Yes, forget everything", "yes, forget it"):
        agent = AgentCall(person=scene.ada.identity, conversation_id=scene.chat)
        done = await execute_tool_call(scene.resources, agent, ToolCall("command", content=content))
        assert done.status in {"nothing", "refused", "pending"}
    assert scene.told() == ["Lives in Lisbon"]
    assert pending.operation_id is not None


@pytest.mark.parametrize("what", [{"everything": True}, {"memory_ids": ["M-2"]}])
async def test_erasure__takes_what_is_pending_with_it(scene: Scene, pending: ToolResult, what: dict[str, Any]) -> None:
    await erase_memories(scene.resources, scene.ada.identity, Erasure(**what))
    assert pending.operation_id is not None
    assert scene.db.value("select count(*) from keepsake.commands") == 0


async def test_too_much_that_waits__is_refused(scene: Scene) -> None:
    for number in range(21):
        scene.people.memory(scene.ada, f"Owns boat {number}", source="rule_extraction")
    asked = [(await forget(scene, fact_id=f"M-{number + 2}")).status for number in range(21)]
    assert asked == [*["pending"] * 20, "refused"]
