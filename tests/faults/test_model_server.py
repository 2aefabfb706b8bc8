"""The scripted model itself: plain statements found, every fault on request, OpenAI's own refusals, and by hand."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.architecture.source import ROOT
from tests.model_server.running import ModelServer
from tests.model_server.script import FAULTS, VECTOR_FAULTS, Rate
from tests.model_server.strict_schema import faults_of_schema

ENDLESS = {"hang", "trickle"}
BROKEN_OFF = {"reset", "reset_midway", "ends_midway", "not_gzip"}


@pytest.fixture
def client(model: ModelServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=model.url, timeout=60) as client:
        yield client


def ask(client: httpx.Client, said: str = "I live in Graz.", **more: Any) -> httpx.Response:
    """Ask the model about a message."""
    body = {"model": "scripted", "messages": [{"role": "user", "content": said}], **more}
    return client.post("/chat/completions", json=body)


def memories(answer: httpx.Response) -> list[str]:
    """The texts of the memories in an answer."""
    content = json.loads(answer.json()["choices"][0]["message"]["content"])
    return [memory["text"] for memory in content["memories"]]


def test_unscripted__it_finds_plain_statements_the_same_every_time(client: httpx.Client) -> None:
    said = "Actually, I live in Graz! I love hiking. What do you think? My daughter is 5 years old."
    first = ask(client, said)
    assert memories(first) == ["Lives in Graz", "Likes hiking", "Daughter is 5 years old"]
    assert ask(client, said).content == first.content
    assert first.json()["usage"]["total_tokens"] > 0


def test_unscripted__it_reads_the_turn_out_of_the_question(client: httpx.Client) -> None:
    """What the assistant said stands beside the message, and is not the person's."""
    turn = {"date": "today", "assistant_before": "I live in Rome.", "message": "I live in Graz."}
    assert memories(ask(client, json.dumps(turn))) == ["Lives in Graz"]


def test_embeddings__are_unit_vectors_and_close_where_words_are_shared(client: httpx.Client) -> None:
    texts = ["likes ramen noodles", "likes ramen", "works at a bank"]
    read = client.post("/embeddings", json={"model": "scripted", "input": texts, "dimensions": 64}).json()
    one, near, far = (data["embedding"] for data in read["data"])
    assert len(one) == 64
    assert sum(part * part for part in one) == pytest.approx(1)

    def closeness(other: list[float]) -> float:
        return math.fsum(a * b for a, b in zip(one, other, strict=True))

    assert closeness(near) > 0.5 > closeness(far)


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - ENDLESS - BROKEN_OFF - {"huge_body"}))
def test_fault__by_the_name_of_the_model_differs_from_a_good_answer(client: httpx.Client, name: str) -> None:
    """No fault is one in name only."""
    note = {"note": {"type": "string", "maxLength": 10}}
    schema = {"type": "object", "properties": note, "required": ["note"], "additionalProperties": False}
    format_ = {"type": "json_schema", "json_schema": {"name": "nothing", "strict": True, "schema": schema}}
    said, asked = "My favorite food is ramen.", {"response_format": format_, "temperature": 0}
    if name.startswith("too_long"):
        said = f"{said} {'So it is. ' * 2000}"
    if name in {"no_thinking_fields", "only_known_fields"}:
        asked["think"] = False
    good, bad = ask(client, said, **asked), ask(client, said, model=f"fault:{name}", **asked)
    assert (bad.status_code, bad.content.replace(f"fault:{name}".encode(), b"scripted")) != (200, good.content)


@pytest.mark.parametrize("name", sorted(BROKEN_OFF))
def test_fault__a_broken_line_gives_no_answer(client: httpx.Client, name: str) -> None:
    with pytest.raises((httpx.TransportError, httpx.DecodingError)):
        ask(client, model=f"fault:{name}")


@pytest.mark.parametrize("name", sorted(ENDLESS))
def test_fault__an_endless_answer_does_not_end(client: httpx.Client, model: ModelServer, name: str) -> None:
    said = {"model": f"fault:{name}", "messages": [{"role": "user", "content": "I live in Graz."}]}
    with pytest.raises(httpx.ReadTimeout):
        read_a_while(client, said)
    assert ask(client).status_code == 200
    assert model.script.chats


def read_a_while(client: httpx.Client, said: dict[str, Any]) -> None:
    """Read with little patience for each piece, and none for more than ten of them."""
    with client.stream("POST", "/chat/completions", json=said, timeout=0.2) as answer:
        for _ in zip(answer.iter_raw(), range(10), strict=False):
            pass
    raise httpx.ReadTimeout("gone on long enough")


def test_script__over_http_queues_replies_and_tells_what_was_asked(client: httpx.Client) -> None:
    """What one does by hand with curl."""
    script = {"then": ["error_503", {"content": "{}"}], "always": "fence", "latency": 0.0}
    assert client.post("/script", json=script).status_code == 204
    answers = [ask(client) for _ in range(3)]
    assert answers[0].status_code == 503
    assert answers[1].json()["choices"][0]["message"]["content"] == "{}"
    assert "```" in answers[2].json()["choices"][0]["message"]["content"]
    assert len(client.get("/script").json()["received"]) == 3
    assert client.post("/script", json={"then": ["no such fault"]}).status_code == 400
    assert client.delete("/script").status_code == 204
    assert memories(ask(client)) == ["Lives in Graz"]


def test_rate__refuses_what_is_too_much_and_counts_who_did_not_wait(client: httpx.Client, model: ModelServer) -> None:
    moment = [0.0]
    model.script.rate = rate = Rate(2, 60, clock=lambda: moment[0])
    answers = [ask(client) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
    assert answers[-1].headers["retry-after"] == "60"
    assert (rate.refused, rate.too_early) == (2, 1)
    moment[0] = 60.0
    assert ask(client).status_code == 200


@contextmanager
def gone(model: ModelServer) -> Iterator[None]:
    """The time in which nothing listens."""
    model.down()
    yield
    model.up()


def test_down__refuses_connections_and_comes_back_where_it_was(model: ModelServer) -> None:
    with gone(model), pytest.raises(httpx.ConnectError):
        httpx.get(f"{model.url}/models")
    assert httpx.get(f"{model.url}/models").status_code == 200


@pytest.mark.parametrize(
    "schema, fault",
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, "additionalProperties"),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": [], "additionalProperties": False},
            "required",
        ),
        ({"type": "object", "properties": {}, "additionalProperties": False, "allOf": []}, "allOf"),
        ({"type": "array", "items": {"type": "object"}}, "object without properties"),
    ],
)
def test_strict_mode__refuses_what_openai_refuses(schema: dict[str, Any], fault: str) -> None:
    assert any(fault in said for said in faults_of_schema(schema))


def test_json_mode__wants_the_word_json_in_the_question(client: httpx.Client) -> None:
    assert ask(client, response_format={"type": "json_object"}).status_code == 400
    assert ask(client, "As JSON: I live in Graz.", response_format={"type": "json_object"}).status_code == 200


def test_by_hand__it_names_its_faults() -> None:
    command = [sys.executable, "-m", "tests.model_server", "--list"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {f"fault:{name}" for name in FAULTS | VECTOR_FAULTS} == {line.split()[0] for line in listed.splitlines()}
