"""Who may call which function, as one list; and that nobody else may."""

from __future__ import annotations

import pytest

from keepsake.endpoints import openapi
from keepsake.identity import Caller
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import SECRET_KEY, anon_token, service_token
from tests.http.conftest import Functions, as_person, signed

EVERYBODY: set[Caller] = set()
POLICY = {
    "archive-old-memories": {Caller.SERVICE},
    "chat-send": {Caller.SERVICE, Caller.WEBHOOK},
    "compare-yearly-patterns": {Caller.SERVICE, Caller.PERSON},
    "conversation-manager": {Caller.PERSON},
    "erase-memories": {Caller.PERSON},
    "export-memories": {Caller.PERSON},
    "extract-user-memory": {Caller.SERVICE},
    "generate-daily-summaries": {Caller.SERVICE},
    "generate-monthly-summaries": {Caller.SERVICE},
    "generate-weekly-summaries": {Caller.SERVICE},
    "health": EVERYBODY,
    "import-memories": {Caller.PERSON},
    "inject-memory": {Caller.SERVICE, Caller.PERSON},
    "llm-summarizer": {Caller.SERVICE},
    "manage-user-memory": {Caller.SERVICE, Caller.PERSON},
    "metrics": {Caller.SERVICE},
    "openapi.json": EVERYBODY,
    "record-injection": {Caller.SERVICE},
    "run-due-jobs": {Caller.SERVICE},
    "undo-operation": {Caller.PERSON},
}
METHODS = {declaration.name: declaration.method for declaration in openapi.declarations()}


def test_the_list__is_what_the_functions_declare() -> None:
    assert {one.name: set(one.callers) for one in openapi.declarations()} == POLICY


async def refused(functions: Functions, headers: dict[str, str]) -> set[str]:
    """The functions that answer these credentials with 401."""
    found = set()
    for name, method in METHODS.items():
        answer = await functions.send(method, name, headers=headers)
        if answer.status_code == 401:
            found.add(name)
    return found


def all_but(*callers: Caller) -> set[str]:
    """The functions that name somebody, but none of these."""
    return {name for name, named in POLICY.items() if named and not named & set(callers)}


@pytest.mark.parametrize("headers", [{}, {"apikey": anon_token()}, {"authorization": f"Bearer {anon_token()}"}])
async def test_nobody__gets_in_where_somebody_is_named(functions: Functions, headers: dict[str, str]) -> None:
    assert await refused(functions, headers) == all_but()


async def test_a_person__gets_in_only_where_named(functions: Functions, scene: Scene) -> None:
    assert await refused(functions, as_person(scene.ada)) == all_but(Caller.PERSON)


@pytest.mark.parametrize(
    "headers",
    [
        {"apikey": SECRET_KEY},
        {"apikey": SECRET_KEY, "authorization": f"Bearer {SECRET_KEY}"},
        {"authorization": f"Bearer {service_token()}"},
        {"apikey": service_token()},
        {"apikey": service_token(), "authorization": f"Bearer {service_token()}"},
    ],
    ids=["secret key", "secret key twice", "service role", "service role as key", "service role twice"],
)
async def test_a_service__gets_in_only_where_named(functions: Functions, headers: dict[str, str]) -> None:
    assert await refused(functions, headers) == all_but(Caller.SERVICE)


async def test_a_signed_delivery__gets_in_only_where_named(functions: Functions) -> None:
    assert await refused(functions, signed(b"")) == all_but(Caller.WEBHOOK)


async def test_a_person_with_the_public_key__is_the_person(functions: Functions, scene: Scene) -> None:
    """supabase-js sends both: the key of the project and the token of the person."""
    headers = {"apikey": anon_token(), **as_person(scene.ada)}
    assert await refused(functions, headers) == all_but(Caller.PERSON)
