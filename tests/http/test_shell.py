"""What every function does the same way: path, method, size, body, headers, refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import httpx
import pytest

from keepsake.endpoints import openapi
from keepsake.endpoints._errors import STATUSES
from keepsake.endpoints._handler import BODY_LIMIT
from keepsake.errors import KeepsakeError
from keepsake.infra.resources import Resources
from tests.fixtures.resources import use_resources
from tests.fixtures.tokens import person_token
from tests.http.conftest import AS_SERVICE, Functions, deployed

FUNCTIONS = [declaration.name for declaration in openapi.declarations()]
POSTED = [declaration.name for declaration in openapi.declarations() if declaration.method == "POST"]
EXTRACT = "extract-user-memory"
SOME_ID = "00000000-0000-4000-8000-000000000000"
BODY = {"conversation_id": SOME_ID, "message_id": SOME_ID}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, whose shape is always the same."""
    problem = answer.json()
    assert set(problem) == {"code", "message", "error", "details", "hint"}
    assert problem["error"] == problem["message"]
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    return answer.status_code, problem["code"]


async def test_main__deploys_what_is_documented(functions: Functions) -> None:
    assert set(FUNCTIONS) == set(deployed())


def test_every_error__has_a_status() -> None:
    def codes(error: type[KeepsakeError]) -> set[str]:
        return {error.code}.union(*(codes(each) for each in error.__subclasses__()))

    assert codes(KeepsakeError) == set(STATUSES)


async def test_another_method__is_405(functions: Functions) -> None:
    for name in FUNCTIONS:
        for method in ("PUT", "DELETE", "PATCH", "GET" if name in POSTED else "POST"):
            answer = await functions.send(method, name, headers=AS_SERVICE)
            assert refusal(answer) == (405, "method_not_allowed"), name


@pytest.mark.parametrize("path", ["/admin", "/functions/v1/inject-memory/x", "/functions/v1/other", "/../health"])
async def test_another_path__is_404(functions: Functions, path: str) -> None:
    answer = await functions.send("POST", "inject-memory", path, headers=AS_SERVICE, json=BODY)
    assert refusal(answer) == (404, "not_found")


async def test_deployed_alone__another_functions_path_is_404_and_says_what_is_served(functions: Functions) -> None:
    answer = await functions.send("POST", "inject-memory", "/functions/v1/chat-send", headers=AS_SERVICE, json=BODY)
    assert (refusal(answer), answer.json()["hint"]) == ((404, "not_found"), "This service serves inject-memory alone.")


async def test_deployed_alone__the_root_is_the_function(functions: Functions) -> None:
    assert (await functions.send("GET", "health", "/")).status_code == 200


async def test_no_credentials__are_told_what_to_send(functions: Functions) -> None:
    """To each function what it takes: a key, a token, or either."""
    hints = [(await functions.call(name, {}, headers={})).json()["hint"] for name in ("chat-send", "inject-memory")]
    assert ["apikey" in hint for hint in hints] == [True, True]
    assert ["Bearer" in hint for hint in hints] == [False, True]


async def test_wrong_credentials__are_told_what_to_send(functions: Functions) -> None:
    """A key of another project, the publishable key, a broken token; a token that was valid, that it has expired."""
    old = person_token(uuid4(), lifetime=-3600)
    wrong = (
        {"apikey": "sb_secret_of_another_project"},
        {"apikey": "sb_publishable_key"},
        {"authorization": "Bearer x.y"},
    )
    for headers in wrong:
        answer = await functions.call("inject-memory", {}, headers=headers)
        assert refusal(answer) == (401, "unauthenticated")
        assert "secret key" in answer.json()["hint"]
        assert "Bearer" in answer.json()["hint"]
    answer = await functions.call("inject-memory", {}, headers={"authorization": f"Bearer {old}"})
    assert (refusal(answer), "expired" in answer.json()["hint"]) == ((401, "unauthenticated"), True)


async def test_preflight__is_answered_without_credentials(functions: Functions) -> None:
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, apikey, content-type, x-client-info",
    }
    for name in FUNCTIONS:
        answer = await functions.send("OPTIONS", name, headers=asked)
        assert answer.status_code == 204, name
        assert answer.headers["access-control-allow-origin"] == "*"
        allowed = answer.headers["access-control-allow-headers"].split(", ")
        assert {"authorization", "apikey", "content-type", "x-client-info", "x-request-id"} <= set(allowed)
        assert ("POST" if name in POSTED else "GET") in answer.headers["access-control-allow-methods"]


@pytest.mark.parametrize("origin, allowed", [("https://app.example", "https://app.example"), ("https://evil", None)])
async def test_origins__can_be_listed(functions: Functions, resources: Resources, origin: str, allowed: str) -> None:
    settings = resources.settings.model_copy(update={"cors_origins": "https://app.example, https://b.example"})
    with use_resources(replace(resources, settings=settings)):
        answer = await functions.send("GET", "health", headers={"origin": origin})
    assert answer.headers.get("access-control-allow-origin") == allowed
    assert answer.headers["vary"] == "Origin"


@pytest.mark.parametrize("given, kept", [("abc-123", True), ("x" * 200, False), ("a b", False), ('{"a":1}', False)])
async def test_request_id__is_the_callers_where_it_is_safe(functions: Functions, *, given: str, kept: bool) -> None:
    answer = await functions.send("GET", "health", headers={"x-request-id": given})
    assert (answer.headers["x-request-id"] == given) is kept


async def test_request_id__stands_on_every_log_line(functions: Functions, capfd: pytest.CaptureFixture[str]) -> None:
    await functions.call(EXTRACT, BODY, headers={**AS_SERVICE, "x-request-id": "trace-me"})
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    assert lines
    assert {line["request_id"] for line in lines} == {"trace-me"}


async def test_a_body_over_the_limit__is_413(functions: Functions) -> None:
    answer = await functions.send("POST", EXTRACT, headers=AS_SERVICE, content=b'{"x": "' + b"a" * BODY_LIMIT + b'"}')
    assert refusal(answer) == (413, "too_large")


async def test_a_body_over_the_limit__is_413_without_a_length_too(functions: Functions) -> None:
    async def chunks() -> Any:
        for _ in range(20):
            yield b"a" * (BODY_LIMIT // 16)

    answer = await functions.send("POST", EXTRACT, headers=AS_SERVICE, content=chunks())
    assert refusal(answer) == (413, "too_large")


async def test_what_is_no_json_object_of_ours__is_400(functions: Functions) -> None:
    for content in (
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"conversation_id": "\xed\xa0\x80"}',
        b"[" * 5000,
        b'{"conversation_id": NaN}',
        b"",
    ):
        answer = await functions.send("POST", EXTRACT, headers=AS_SERVICE, content=content)
        assert refusal(answer) == (400, "invalid_input"), content[:40]


@pytest.mark.parametrize(
    "body, field",
    [
        ({"message_id": SOME_ID}, "conversation_id"),
        ({**BODY, "message_id": 7}, "message_id"),
        ({**BODY, "message_id": "not-a-uuid"}, "message_id"),
        ({**BODY, "message_id": None}, "message_id"),
        ({**BODY, "text": "I live in Graz."}, "text"),
    ],
)
async def test_a_wrong_field__is_named(functions: Functions, body: dict[str, Any], field: str) -> None:
    answer = await functions.call(EXTRACT, body)
    assert refusal(answer) == (400, "invalid_input")
    assert field in answer.json()["details"]


@pytest.mark.parametrize("text", ["a\\u0000b", "a\\ud800b", "\\udfff"])
async def test_characters_postgres_cannot_hold__are_400(functions: Functions, text: str) -> None:
    content = f'{{"conversation_id": "{SOME_ID}", "user_id": "{SOME_ID}", "user_message": "{text}"}}'.encode()
    answer = await functions.send("POST", "inject-memory", headers=AS_SERVICE, content=content)
    assert refusal(answer) == (400, "invalid_input")


async def test_a_refusal__does_not_repeat_what_was_sent(functions: Functions) -> None:
    answer = await functions.call(EXTRACT, {**BODY, "message_id": "my secret diary"})
    assert "diary" not in answer.text


async def test_an_unexpected_failure__tells_nothing(
    functions: Functions, resources: Resources, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither the caller nor the log gets the words of an exception, which may quote a row."""

    class Failing:
        def as_service(self, *_: object) -> Any:
            raise RuntimeError("Ada lives in Graz")

    broken: Any = Failing()
    with use_resources(replace(resources, database=broken)):
        answer = await functions.call(EXTRACT, BODY)
    assert refusal(answer) == (500, "internal_error")
    logged = capfd.readouterr().err
    assert "RuntimeError" in logged
    assert "Graz" not in answer.text + logged
