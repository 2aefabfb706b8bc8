"""A change that breaks clients is found, and is not merged under the same major version."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from keepsake.contracts.version import CONTRACT_VERSION
from tests.contract.compatibility import Surface, breaking_changes, is_new_major
from tests.contract.generated import COMPATIBILITY, CONTRACT

Change = Callable[[Surface], Any]

BREAKING: dict[str, Change] = {
    "a function is gone": lambda now: now["functions"].pop("inject-memory"),
    "a field is gone from an answer": lambda now: _answer(now).pop("injection_id"),
    "a nested field is gone from an answer": lambda now: _answer(now).pop("memories[].ref"),
    "a field of an answer may be null": lambda now: _answer(now)["context"]["types"].append("null"),
    "a field is not always in the answer": lambda now: _answer(now)["context"].update(required=False),
    "a field of an answer has another type": lambda now: _answer(now)["context"].update(types=["object"]),
    "a field is gone from a request": lambda now: _request(now).pop("history"),
    "a new field is needed": lambda now: _request(now).update(reason={"types": ["string"], "required": True}),
    "a field is needed": lambda now: _request(now)["history"].update(required=True),
    "a field takes less": lambda now: _request(now)["user_name"].update(types=["string"]),
    "a query parameter is gone": lambda now: now["functions"]["health"]["query"].clear(),
    "an error code is gone": lambda now: now["errors"].pop("conflict"),
    "an error has another status": lambda now: now["errors"].update(conflict=400),
    "a table is gone": lambda now: _person(now)["tables"].pop("user_memory"),
    "a column is gone": lambda now: _person(now)["tables"]["user_memory"]["select"].remove("pinned"),
    "a column may not be written": lambda now: _person(now)["tables"]["user_memory"]["update"].remove("pinned"),
    "rows may not be deleted": lambda now: _person(now)["tables"]["user_profile_list"].update(delete=False),
    "an RPC is gone": lambda now: _person(now)["functions"].pop("forget_memory"),
    "an RPC needs more": lambda now: _person(now)["functions"]["clear_my_memories"]["arguments"].update(
        confirm={"type": "text", "required": True}
    ),
    "an RPC returns something else": lambda now: _person(now)["functions"]["forget_memory"].update(returns="uuid"),
}

HARMLESS: dict[str, Change] = {
    "a new function": lambda now: now["functions"].update(new={"query": [], "request": {}, "responses": {}}),
    "a new field in an answer": lambda now: _answer(now).update(more={"types": ["string"], "required": True}),
    "a new field that may be left out": lambda now: _request(now).update(more={"types": ["string"], "required": False}),
    "a new error code": lambda now: now["errors"].update(teapot=418),
    "a new column": lambda now: _person(now)["tables"]["user_memory"]["select"].append("more"),
    "a new RPC": lambda now: _person(now)["functions"].update(more={"arguments": {}, "returns": "jsonb"}),
}


def _answer(now: Surface) -> dict[str, Any]:
    fields: dict[str, Any] = now["functions"]["inject-memory"]["responses"]["200"]
    return fields


def _request(now: Surface) -> dict[str, Any]:
    fields: dict[str, Any] = now["functions"]["inject-memory"]["request"]
    return fields


def _person(now: Surface) -> dict[str, Any]:
    access: dict[str, Any] = now["browser"]["authenticated"]
    return access


@pytest.fixture
def present() -> Surface:
    surface: Surface = json.loads(COMPATIBILITY.read_text())
    return surface


@pytest.mark.parametrize("change", BREAKING.values(), ids=BREAKING)
def test_change__that_breaks_clients_is_found(present: Surface, change: Change) -> None:
    now = copy.deepcopy(present)
    change(now)
    assert breaking_changes(present, now)


@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_change__that_breaks_nobody_is_let_through(present: Surface, change: Change) -> None:
    now = copy.deepcopy(present)
    change(now)
    assert not breaking_changes(present, now)


def test_version__of_a_breaking_change_is_a_new_major() -> None:
    assert is_new_major("1.4.2", "2.0.0")
    assert is_new_major("9.0.0", "10.0.0")
    assert not is_new_major("1.0.0", "1.9.0")
    assert not is_new_major("2.0.0", "1.0.0")


def test_package__has_the_version_of_the_contract() -> None:
    manifest = json.loads((CONTRACT / "client" / "package.json").read_text())
    assert manifest["version"] == CONTRACT_VERSION
