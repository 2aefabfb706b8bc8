"""``record-injection`` over HTTP."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions


async def test_an_injection__is_tied_to_its_answer_and_scored(functions: Functions, scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    question = {"conversation_id": str(scene.chat), "message_id": str(scene.says("What do I like to eat?"))}
    injected = (await functions.call("inject-memory", question)).json()
    body = {
        "injection_id": injected["injection_id"],
        "message_id": str(scene.people.answers(scene.chat, "Ramen!")),
        "helpfulness": 0.75,
    }
    answer = await functions.call("record-injection", body)
    no_summaries: dict[str, list[str]] = {"summary_ids": [], "message_ids": []}
    assert (answer.status_code, answer.json()) == (200, {**body, "memory_ids": injected["memory_ids"], **no_summaries})


@pytest.mark.parametrize("score", [-0.1, 1.1, "good", float("nan"), True])
async def test_no_score__is_400(functions: Functions, score: object) -> None:
    content = f'{{"injection_id": "{uuid4()}", "message_id": "{uuid4()}", "helpfulness": {score!r}}}'.lower()
    answer = await functions.send(
        "POST", "record-injection", headers={"apikey": "sb_secret_tests_only_0123456789abcdef"}, content=content
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


async def test_an_unknown_injection__is_404(functions: Functions, scene: Scene) -> None:
    body = {"injection_id": str(uuid4()), "message_id": str(scene.people.answers(scene.chat, "Ramen!"))}
    assert (await functions.call("record-injection", body)).status_code == 404
