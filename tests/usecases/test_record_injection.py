"""An injection is tied to the answer it went into, in its own conversation, and takes a score."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from keepsake.errors import NotFound
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.record_injection import record_injection
from tests.fixtures.scene import Scene


async def injected(scene: Scene) -> UUID:
    """An injection with the memory of the name, in the identity line, and one other in it."""
    await scene.tell("My favourite food is ramen.")
    message = scene.says("What do I like to eat?")
    injection = (await inject_memory(scene.resources, ContextRequest(scene.chat, message))).injection_id
    assert injection is not None
    return injection


async def test_the_answer__carries_the_memories_it_was_given(scene: Scene) -> None:
    injection, answer = await injected(scene), scene.people.answers(scene.chat, "Ramen!", meta='{"model": "x"}')
    recorded = await record_injection(scene.resources, injection_id=injection, message_id=answer)
    meta = scene.db.value("select meta from public.messages where id = %s", (answer,))
    assert meta == {
        "model": "x",
        "injection_id": str(injection),
        "memory_ids": [str(memory_id) for memory_id in recorded.memory_ids],
        "summary_ids": [],
    }
    texts = scene.db.all("select memory_text from public.user_memory where id = any(%s)", (list(recorded.memory_ids),))
    assert {row["memory_text"] for row in texts} == {"Name is Ada", "Favorite food is ramen"}
    kept = scene.db.one("select answer_message_id from keepsake.injections where id = %s", (injection,))
    assert kept["answer_message_id"] == answer


async def test_a_score__comes_later_and_stays(scene: Scene) -> None:
    injection, answer = await injected(scene), scene.people.answers(scene.chat, "Ramen!")
    for given, kept in ((None, None), (0.8, 0.8), (None, 0.8), (0.0, 0.0)):
        recorded = await record_injection(scene.resources, injection_id=injection, message_id=answer, helpfulness=given)
        assert recorded.helpfulness == kept


async def test_what_does_not_belong_together__is_not_found(scene: Scene) -> None:
    injection, answer = await injected(scene), scene.people.answers(scene.chat, "Ramen!")
    elsewhere = scene.people.answers(scene.people.conversation(scene.ada), "Ramen!")
    question = scene.says("Ramen?")
    for given in ((uuid4(), answer), (injection, uuid4()), (injection, elsewhere), (injection, question)):
        with pytest.raises(NotFound):
            await record_injection(scene.resources, injection_id=given[0], message_id=given[1])
