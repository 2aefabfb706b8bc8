"""What the operator asks: health, metrics, the OpenAPI document; and what is said when the database is away."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from keepsake import __version__
from keepsake.endpoints import openapi
from keepsake.infra import job_queue
from keepsake.infra.database import Database
from keepsake.infra.package_files import migration_versions
from keepsake.infra.resources import Resources
from keepsake.usecases import health as usecase
from tests.fixtures.db import Clone
from tests.fixtures.resources import use_resources, worker
from tests.fixtures.scene import Scene
from tests.fixtures.until import until
from tests.http.conftest import AS_SERVICE, Functions, as_person

DOCUMENT = Path(__file__).parents[2] / "frontend_contract" / "openapi.json"


async def test_health__lives_without_a_database_and_is_ready_with_it(functions: Functions) -> None:
    assert (await functions.send("GET", "health")).json() == {
        "status": "ok",
        "database": None,
        "version": __version__,
        "reason": None,
    }
    ready = await functions.send("GET", "health", "/functions/v1/health?ready=true")
    assert (ready.status_code, ready.json()["database"]) == (200, "ok")


@pytest.mark.parametrize("lack", ["the function that names it", "a later version"])
async def test_health__of_code_that_is_newer_than_the_schema_is_not_ready(
    functions: Functions, db: Clone, monkeypatch: pytest.MonkeyPatch, lack: str
) -> None:
    """Also where the database cannot even name what it lacks."""
    if lack == "the function that names it":
        db.run("drop function keepsake.missing_migrations(text[])")
    else:
        monkeypatch.setattr(usecase, "migration_versions", lambda: (*migration_versions(), "20990101000000"))
    answer = await functions.send("GET", "health", "/functions/v1/health?ready=true")
    assert (answer.status_code, answer.json()["status"], answer.headers["retry-after"]) == (503, "unavailable", "5")
    assert "keepsake migrate" in answer.json()["reason"]
    assert (await functions.send("GET", "health")).status_code == 200


async def test_health__of_a_worker_that_hears_nothing_is_503(
    functions: Functions, resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform then starts the process again."""
    monkeypatch.setattr(job_queue, "_MAX_SILENCE_SECONDS", 0.1)
    monkeypatch.setattr(job_queue, "_WATCH_SECONDS", 3600.0)

    async def hang(**_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(resources.queue._app, "run_worker_async", hang)
    async with worker(resources):
        await until(lambda: resources.queue.is_stalled)
        answer = await functions.send("GET", "health")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert "retry-after" in answer.headers
    assert (await functions.send("GET", "health")).status_code == 200


async def test_metrics__count_what_happened_and_name_nobody(functions: Functions, scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    message = scene.says("What do I like to eat?")
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    await functions.call("inject-memory", body)
    await functions.call("chat-send", body)
    answer = await functions.send("GET", "metrics", headers=AS_SERVICE)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    page = answer.text
    for line in (
        'keepsake_extractions_total{reason="",status="extracted"} 1.0',
        'keepsake_injections_total{reason="",variant="treatment"} 1.0',
        'keepsake_memories_by_source{kind="rule_extraction"} 1.0',
        'keepsake_memories_active_by_type{kind="fact"} 2.0',
        'keepsake_extraction_rows{kind="pending"} 1.0',
        'keepsake_jobs{kind="todo"} 1.0',
        'keepsake_injections_with_memories_share_last_week{kind="all"} 1.0',
        'keepsake_memories_per_ten_turns_last_week{kind="all"} 10.0',
    ):
        assert line in page.splitlines(), line
    for private in ("ramen", "Ada", str(scene.ada.user_id), str(scene.chat)):
        assert private not in page


async def test_openapi__is_public_and_the_file_is_current(functions: Functions) -> None:
    answer = await functions.send("GET", "openapi.json")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.text == DOCUMENT.read_text(encoding="utf-8"), "run: python -m keepsake.endpoints.openapi FILE"
    document = answer.json()
    declared = openapi.declarations()
    pages = {f"/functions/v1/{one.name}/{page}" for one in declared for page in one.documents}
    assert set(document["paths"]) == {f"/functions/v1/{one.name}" for one in declared} | pages
    for reference in {part.split('"')[0] for part in answer.text.split('"$ref": "#/')[1:]}:
        found = document
        for step in reference.split("/"):
            found = found[step]
        assert found, reference


def test_openapi__check_can_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "openapi.json"
    assert openapi.main(["--check", str(file)]) == 1
    assert "not current" in capsys.readouterr().err
    assert openapi.main([str(file)]) == 0
    assert openapi.main(["--check", str(file)]) == 0
    file.write_text(json.dumps({}))
    assert openapi.main(["--check", str(file)]) == 1


@pytest.mark.parametrize("port", [1])
async def test_the_database_away__is_503_with_when_to_come_again(
    functions: Functions, resources: Resources, scene: Scene, port: int
) -> None:
    message = scene.says("I live in Graz.")
    url = f"postgresql://keepsake_api@127.0.0.1:{port}/postgres"
    settings = resources.settings.model_copy(
        update={"database_url": type(resources.settings.database_url)(url), "database_timeout_seconds": 0.3}
    )
    away = Database(settings)
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    choice = {"action": "set_memory_enabled", "conversation_id": str(scene.chat), "memory_enabled": True}
    with use_resources(replace(resources, database=away)):
        answers = {
            "chat-send": await functions.call("chat-send", body),
            "extract-user-memory": await functions.call("extract-user-memory", body),
            "inject-memory": await functions.call("inject-memory", body, headers=as_person(scene.ada)),
            "conversation-manager": await functions.call("conversation-manager", choice, headers=as_person(scene.ada)),
            "metrics": await functions.send("GET", "metrics", headers=AS_SERVICE),
        }
        health = await functions.send("GET", "health", "/functions/v1/health?ready=true")
        alive = await functions.send("GET", "health")
    await away.close()
    for name, answer in answers.items():
        assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable"), name
        assert int(answer.headers["retry-after"]) > 0
    assert (health.status_code, health.json()["database"]) == (503, "unavailable")
    assert alive.status_code == 200
    assert scene.row(message) is None


async def test_connections_the_server_closed__are_replaced_without_a_word(
    functions: Functions, db: Clone, scene: Scene
) -> None:
    """A restart of the database costs no request that comes after it."""
    for text in ("I live in Graz.", "I have a dog named Rex.", "I like figs."):
        body = {"conversation_id": str(scene.chat), "message_id": str(scene.says(text))}
        db.run(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'keepsake_api'"
            " and datname = current_database()"
        )
        assert (await functions.call("extract-user-memory", body)).status_code == 200
