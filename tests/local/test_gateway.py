"""The local origin behaves as Supabase's gateway does: who may pass, as whom, and what reaches the other side."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from keepsake.operations.function_loader import load_functions
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.rest import Rest
from tests.fixtures.tokens import person_token
from tests.rest.gateway import KEYS, served

FUNCTIONS = """
import functions_framework.aio
from starlette.responses import JSONResponse

times_run = []

@functions_framework.aio.http
async def health(request):
    if request.url.path not in ("/health", "/functions/v1/health"):
        return JSONResponse({"code": "not_found"}, status_code=404, headers={"x-request-id": "health's"})
    return JSONResponse({"path": request.url.path, "method": request.method, "times": times_run})

@functions_framework.aio.http
async def two_words(request):
    times_run.append(1)
    return JSONResponse({"body": (await request.body()).decode(), "key": request.headers.get("apikey")})
"""


@pytest.fixture
def origin(rest: Rest, tmp_path: Path) -> Iterator[str]:
    """The gateway before a real PostgREST and two functions."""
    source = tmp_path / "two_functions.py"
    source.write_text(FUNCTIONS)
    with served(rest.url, load_functions(source)) as url:
        yield url


@pytest.fixture
def client(origin: str) -> Iterator[httpx.Client]:
    """A client that sends nothing by itself."""
    with httpx.Client(base_url=origin, timeout=60) as client:
        yield client


@pytest.fixture
def ada(people: People) -> Account:
    """Somebody with two memories: her name, which her profile seeds, and this."""
    ada = people.person("Ada")
    people.memory(ada, "Favorite food is ramen")
    return ada


def _as(person: Account) -> dict[str, str]:
    return {"apikey": KEYS.publishable_key, "authorization": f"Bearer {person_token(person.user_id)}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"apikey": ""},
        {"apikey": "sb_publishable_wrong"},
        {"authorization": f"Bearer {KEYS.secret_key}"},
        {"authorization": f"Bearer {KEYS.service_role_key}"},
        [("apikey", KEYS.publishable_key), ("apikey", KEYS.secret_key)],
        [("apikey", KEYS.publishable_key), ("authorization", "Bearer a"), ("authorization", "Bearer b")],
    ],
)
def test_rest__refuses_who_has_no_key_or_two(client: httpx.Client, headers: httpx._types.HeaderTypes) -> None:
    refused = client.get("/rest/v1/user_memory", headers=headers)
    assert refused.status_code == 401
    assert set(refused.json()) == {"code", "message", "error", "details", "hint"}


@pytest.mark.parametrize("key", [KEYS.secret_key, KEYS.service_role_key])
@pytest.mark.parametrize("repeated", [False, True])
def test_rest__a_service_key_alone_is_the_service(
    client: httpx.Client, ada: Account, key: str, *, repeated: bool
) -> None:
    headers = {"apikey": key} | ({"authorization": f"Bearer {key}"} if repeated else {})
    assert len(client.get("/rest/v1/user_memory", headers=headers).json()) == 2


@pytest.mark.parametrize("key", [KEYS.publishable_key, KEYS.anon_key])
def test_rest__a_public_key_alone_is_nobody(client: httpx.Client, ada: Account, key: str) -> None:
    assert client.get("/rest/v1/user_memory", headers={"apikey": key}).status_code == 401


def test_rest__a_persons_token_decides_over_any_key(client: httpx.Client, ada: Account, people: People) -> None:
    """Even beside the secret key, a token is the person it names."""
    for key in (KEYS.publishable_key, KEYS.secret_key):
        mine = client.get("/rest/v1/user_memory", headers=_as(ada) | {"apikey": key})
        theirs = client.get("/rest/v1/user_memory", headers=_as(people.person("Bob")) | {"apikey": key})
        assert (len(mine.json()), "ramen" in theirs.text) == (2, False)


@pytest.mark.parametrize("scheme", ["Bearer", "Basic", ""])
def test_rest__another_key_as_authorization_opens_nothing(client: httpx.Client, ada: Account, scheme: str) -> None:
    headers = {"apikey": KEYS.publishable_key, "authorization": f"{scheme} {KEYS.secret_key}".strip()}
    answer = client.get("/rest/v1/user_memory", headers=headers)
    assert answer.status_code == 401
    assert "ramen" not in answer.text


@pytest.mark.parametrize("named", ["authorization", "apikey", "Authorization, apikey"])
def test_rest__a_client_cannot_strip_a_header_on_the_way(client: httpx.Client, ada: Account, named: str) -> None:
    """`Connection` names headers for one hop; naming the credentials must not make a person the key's role."""
    answer = client.get("/rest/v1/user_memory", headers=_as(ada) | {"connection": named})
    assert len(answer.json()) == 2


def test_rest__passes_ranges_counts_and_preferences_through(client: httpx.Client, ada: Account) -> None:
    wanted = {"range": "0-0", "range-unit": "items", "prefer": "count=exact"}
    answer = client.get("/rest/v1/user_memory?select=memory_text&order=memory_no.desc", headers=_as(ada) | wanted)
    assert (answer.status_code, answer.headers["content-range"]) == (206, "0-0/2")
    assert answer.json() == [{"memory_text": "Favorite food is ramen"}]


def test_rest__head_has_the_headers_and_no_body(client: httpx.Client, ada: Account) -> None:
    answer = client.head("/rest/v1/user_memory", headers=_as(ada) | {"prefer": "count=exact"})
    assert (answer.headers["content-range"], answer.content) == ("0-1/2", b"")


def test_rest__writes_and_returns_what_was_written(client: httpx.Client, ada: Account) -> None:
    wanted = _as(ada) | {"prefer": "return=representation"}
    path = "/rest/v1/user_memory?memory_text=eq.Favorite%20food%20is%20ramen"
    answer = client.patch(path, headers=wanted, json={"pinned": True})
    assert [row["pinned"] for row in answer.json()] == [True]


def test_rest__streams_a_body_of_unknown_length(client: httpx.Client, people: People) -> None:
    owner = people.person("Ada")
    chunks = iter([b'[{"user_id": "', str(owner.user_id).encode(), b'", "mode": "chat"}]'])
    headers = {"apikey": KEYS.secret_key, "content-type": "application/json"}
    assert client.post("/rest/v1/conversations", headers=headers, content=chunks).status_code == 201


def test_rest__keeps_a_path_as_it_was_written(client: httpx.Client, ada: Account) -> None:
    answer = client.get("/rest/v1/user_memory?memory_text=like.*%2Ara%25en*", headers=_as(ada))
    assert answer.status_code == 200
    assert client.get("/rest/v1/no%2Fsuch%2Ftable", headers=_as(ada)).status_code == 404


def test_rest__a_body_of_two_lengths_is_refused(origin: str, ada: Account) -> None:
    headers = {**_as(ada), "content-length": "1000", "transfer-encoding": "chunked"}
    assert _status(origin, "POST /rest/v1/rpc/search_memories HTTP/1.1", headers) == 400


@pytest.mark.parametrize("path", ["/rest/v1%2Fuser_memory", "/rest/v1%2F", "/rest%2Fv1/user_memory", "/rest/v1/a#b"])
def test_rest__a_path_that_only_looks_like_one_is_not_found(origin: str, ada: Account, path: str) -> None:
    assert _status(origin, f"GET {path} HTTP/1.1", _as(ada)) == 404


@pytest.mark.parametrize("name", ["x-client-info", "prefer", "origin", "x-request-id"])
def test_rest__headers_may_hold_more_than_ascii(origin: str, ada: Account, name: str) -> None:
    line = "GET /rest/v1/user_memory HTTP/1.1"
    assert _status(origin, line, _as(ada) | {name: "caf\xc3\xa9"}) == 200
    assert _status(origin, line, _as(ada) | {"authorization": "Bearer \xe9"}) == 401


def _status(origin: str, line: str, headers: dict[str, str]) -> int:
    """The status of a request written by hand, as clients with manners of their own write theirs."""
    url = httpx.URL(origin)
    sent = [line, f"host: {url.host}", "connection: close", *(f"{name}: {value}" for name, value in headers.items())]
    with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
        connection.sendall("\r\n".join([*sent, "", ""]).encode("latin-1"))
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


def test_rest__root_describes_the_schema(client: httpx.Client) -> None:
    assert "/user_memory" in client.get("/rest/v1/", headers={"apikey": KEYS.secret_key}).json()["paths"]


def test_rest__answers_a_browsers_preflight_without_a_key(client: httpx.Client) -> None:
    asked = {
        "origin": "https://app.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "apikey, authorization, prefer",
    }
    answer = client.options("/rest/v1/user_memory", headers=asked)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "PATCH" in answer.headers["access-control-allow-methods"]
    assert answer.headers["access-control-allow-headers"] == "apikey, authorization, prefer"


@pytest.mark.parametrize("headers", [{}, {"apikey": KEYS.secret_key}])
def test_rest__lets_browsers_read_every_answer(client: httpx.Client, headers: dict[str, str]) -> None:
    answer = client.get("/rest/v1/user_memory", headers=headers | {"origin": "https://app.example"})
    assert answer.headers.get_list("access-control-allow-origin") == ["*"]
    assert "Content-Range" in answer.headers["access-control-expose-headers"]


def test_rest__says_so_when_postgrest_is_away() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with served(f"http://127.0.0.1:{nobody.getsockname()[1]}") as url:
            answer = httpx.get(f"{url}/rest/v1/user_memory", headers={"apikey": KEYS.secret_key}, timeout=60)
    assert (answer.status_code, answer.json()["code"]) == (503, "rest_unavailable")
    assert answer.headers["retry-after"] == "2"


def test_functions__are_reached_by_their_hyphened_names_with_credentials_untouched(client: httpx.Client) -> None:
    answer = client.post("/functions/v1/two-words", content=b"hi", headers={"apikey": "theirs to judge"})
    assert answer.json() == {"body": "hi", "key": "theirs to judge"}


def test_functions__share_one_loading_of_their_source(client: httpx.Client) -> None:
    client.post("/functions/v1/two-words")
    assert client.get("/functions/v1/health").json()["times"] == [1]


@pytest.mark.parametrize(
    "name", ["two_words", "nobody", "two-words/more/still", "nobody/more", "health.json", "times_run"]
)
def test_functions__unknown_names_are_not_found(client: httpx.Client, name: str) -> None:
    answer = client.post(f"/functions/v1/{name}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


def test_functions__an_unknown_name_is_refused_as_every_function_refuses(client: httpx.Client) -> None:
    """With a request id, and readable by browsers: `health` answers, as where all functions are one service."""
    answer = client.post("/functions/v1/nobody")
    assert (answer.status_code, answer.headers["x-request-id"]) == (404, "health's")


def test_health__is_at_the_root_too(client: httpx.Client) -> None:
    assert client.get("/health").json()["path"] == "/health"


def test_root__is_empty_without_a_page(client: httpx.Client) -> None:
    assert [client.get(path).status_code for path in ("/", f"/{uuid4()}")] == [404, 404]


def test_rest__is_the_same_database_as_the_tests(client: httpx.Client, db: Clone, ada: Account) -> None:
    """So that an empty answer above means refusal, and not another database."""
    assert len(client.get("/rest/v1/user_memory", headers=_as(ada)).json()) == db.value(
        "select count(*) from public.user_memory"
    )
