"""One function in a process of its own, started exactly as the README and any functions host start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY
from tests.http.conftest import AS_SERVICE

ROOT = Path(__file__).parents[2]


def command(target: str, port: int) -> list[str]:
    """What serves one function."""
    return [
        sys.executable,
        "-m",
        "functions_framework",
        "--source",
        "functions/main.py",
        "--target",
        target,
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]


@contextmanager
def served(target: str, environment: dict[str, str], log: Path) -> Iterator[httpx.Client]:
    """Serve one function until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with log.open("wb") as out:
        server = subprocess.Popen(command(target, port), cwd=ROOT, env=environment, stdout=out, stderr=out)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
            _wait_for(client, server)
            yield client
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(client: httpx.Client, server: subprocess.Popen[bytes]) -> None:
    """Until it answers anything at all."""
    for _ in range(1_200):
        try:
            client.options("/")
        except httpx.HTTPError:
            assert server.poll() is None, "the server ended"
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server did not answer in 60 s")


def environment(db: Clone) -> dict[str, str]:
    """What a deployed service is told."""
    return {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": db.api_url,
        "INJECT_PATIENCE_SECONDS": "60",  # on a busy machine the first connection takes longer
        "SUPABASE_JWT_SECRET": JWT_SECRET,
        "SUPABASE_SECRET_KEY": SECRET_KEY,
    }


async def test_inject_memory__serves_alone(db: Clone, scene: Scene, tmp_path: Path) -> None:
    await scene.tell("My favourite food is ramen.")
    message = scene.says("What do I like to eat?")
    body = {"conversation_id": str(scene.chat), "message_id": str(message)}
    with served("inject_memory", environment(db), tmp_path / "server.log") as client:
        answer = client.post("/", json=body, headers=AS_SERVICE)
        refused = client.post("/", json=body)
    assert answer.status_code == 200
    assert "ramen" in answer.json()["context"]
    assert refused.status_code == 401


async def test_all_functions__are_one_service(db: Clone, scene: Scene, tmp_path: Path) -> None:
    """Each answers at its own path, the root is a probe's, and what names no function is refused."""
    message = scene.says("My favourite food is ramen.")
    turn = {"conversation_id": str(scene.chat), "message_id": str(message)}
    with served("all_functions", environment(db), tmp_path / "server.log") as client:
        sent = client.post("/functions/v1/chat-send", json=turn, headers=AS_SERVICE)
        worked = client.post("/run-due-jobs", json={}, headers=AS_SERVICE)
        injected = client.post("/functions/v1/inject-memory", json=turn, headers=AS_SERVICE)
        refused = client.post("/functions/v1/inject-memory", json=turn)
        read = [client.get(path) for path in ("/", "/functions/v1/manage-user-memory/schema", "/openapi.json")]
        unknown = client.post("/functions/v1/inject_memory", json=turn, headers=AS_SERVICE)
    assert sent.json()["status"] == "accepted"
    assert worked.status_code == 200
    assert "ramen" in injected.json()["context"]
    assert refused.status_code == 401
    assert [answer.status_code for answer in read] == [200, 200, 200]
    assert unknown.status_code == 404
    assert (unknown.json()["code"], unknown.json()["hint"]) == ("not_found", "Did you mean inject-memory?")


def test_misconfigured__does_not_start_and_says_why_in_one_line() -> None:
    environment = {"PATH": os.environ["PATH"], "SUPABASE_JWT_SECRET": JWT_SECRET}
    ended = subprocess.run(
        command("health", 1), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode != 0
    assert "keepsake: DATABASE_URL is not set" in ended.stderr.splitlines()
    assert "Traceback" not in ended.stderr
