"""``export-memories`` over HTTP: a file to download, made while it is sent."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import MutableMapping
from dataclasses import replace
from typing import Any

import httpx
import pytest

from keepsake.contracts.export_memories import ExportMemoriesResponse
from keepsake.endpoints import _uploads_and_downloads
from keepsake.infra.database import Database
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.store import exports
from keepsake.usecases import export_memories as exporting
from tests.fixtures.resources import use_resources
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person, deployed


async def test_json__is_the_documented_document_as_a_file(functions: Functions, scene: Scene) -> None:
    scene.people.memory(scene.ada, "Likes ramen")
    answer = await functions.call("export-memories", headers=as_person(scene.ada))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    name = f'attachment; filename="keepsake-{scene.clock.now():%Y-%m-%d}.json"'
    assert answer.headers["content-disposition"] == name
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "content-length" not in answer.headers
    document = ExportMemoriesResponse.model_validate_json(answer.content)
    assert [row["memory_text"] for row in document.memories] == ["Name is Ada", "Likes ramen"]


async def test_csv__is_a_spreadsheet_without_formulas(functions: Functions, scene: Scene) -> None:
    scene.people.memory(scene.ada, '=HYPERLINK("https://evil.example","x")')
    answer = await functions.call("export-memories", {"format": "csv"}, headers=as_person(scene.ada))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    _, row = csv.DictReader(answer.text.splitlines())
    assert row["memory_text"] == '\'=HYPERLINK("https://evil.example","x")'
    assert row["ref"] == "M-2"


@pytest.mark.parametrize("body", [{"format": "xml"}, {"user_id": "x"}, {"format": None}])
async def test_another_wish__is_400(functions: Functions, scene: Scene, body: dict[str, object]) -> None:
    answer = await functions.call("export-memories", body, headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_input")


async def test_a_failure_on_the_way__cuts_the_answer_off_and_tells_nothing(
    functions: Functions, scene: Scene, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Before the first byte it is a refusal as any other; after it no end is sent, and the log has the request's id."""
    sent, padding, real = 0, "", exports.rows

    async def failing(*given: object, **more: object) -> object:
        nonlocal sent
        async for batch in real(*given, **more):  # type: ignore[arg-type]
            sent += 1
            if sent > 2:
                raise RuntimeError("Ada lives in Graz")
            yield [{**row, "padding": padding} for row in batch]

    monkeypatch.setattr(exports, "rows", failing)
    headers = {**as_person(scene.ada), "x-request-id": "trace-me"}
    refused = await functions.call("export-memories", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (500, "internal_error")
    sent, padding = 0, "x" * exporting.READ_AHEAD
    with pytest.raises(AssertionError):  # what httpx makes of an answer that never ends
        await functions.call("export-memories", headers=headers)
    logged = capfd.readouterr().err
    failed = [json.loads(line) for line in logged.splitlines() if "failed on the way" in line]
    assert [(line["error"], line["request_id"], line["function"]) for line in failed] == [
        ("RuntimeError", "trace-me", "export-memories")
    ]
    assert "Graz" not in logged


async def test_database_away__is_503_before_the_first_byte(
    functions: Functions, resources: Resources, scene: Scene
) -> None:
    await resources.database.close()
    scene.db.cluster.run(f"alter database {scene.db.name} allow_connections false")
    try:
        answer: httpx.Response = await functions.call("export-memories", headers=as_person(scene.ada))
    finally:
        scene.db.cluster.run(f"alter database {scene.db.name} allow_connections true")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


async def test_slow_readers__keep_nobody_elses_export_waiting(
    functions: Functions, scene: Scene, resources: Resources, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one person, who reads nothing of what they asked for, one connection is kept at most, and only for a while."""
    monkeypatch.setattr(_uploads_and_downloads, "CHUNK_SECONDS", 3600.0)
    ben, reading = scene.people.person("Ben"), asyncio.Event()
    monkeypatch.setitem(exporting.export_memories.__kwdefaults__ or {}, "read_ahead", 1)
    database = Database(settings.model_copy(update={"database_pool_size": 9, "database_timeout_seconds": 0.5}))

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            reading.set()
            await asyncio.Event().wait()

    async def read_nothing() -> None:
        body = [b"{}"]

        async def receive() -> dict[str, object]:
            if not body:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": body.pop(), "more_body": False}

        headers = [(name.encode(), value.encode()) for name, value in as_person(scene.ada).items()]
        path = "/functions/v1/export-memories"
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
        await deployed()["export-memories"]({**scope, "asgi": {"version": "3.0"}}, receive, send)

    with use_resources(replace(resources, database=database)):
        slow = [asyncio.create_task(read_nothing()) for _ in range(4)]
        await reading.wait()
        answers = [await functions.call("export-memories", headers=as_person(one)) for one in (ben, ben, scene.ada)]
        assert [answer.status_code for answer in answers] == [200, 200, 503]
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        assert (await functions.call("export-memories", headers=as_person(scene.ada))).status_code == 200
    await database.close()
