"""The watch starts PostgREST again, but not for ever where it cannot stay up."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from keepsake.errors import DatabaseUnavailable
from keepsake.local.servers.postgrest import PostgREST
from keepsake.local.stack import supervisor
from keepsake.local.stack.supervisor import MAX_RESTARTS, Supervisor
from tests.fixtures.db import Clone


class Dying(PostgREST):
    """A PostgREST that ends as soon as it is started."""

    def _launch(self, port: int, admin_port: int) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"])
        process.wait()
        return process


def test_watch__gives_up_on_what_ends_again_and_again(tmp_path: Path) -> None:
    rest = Dying("postgresql://nobody@nowhere/", jwt_secret="s" * 32, log_file=tmp_path / "postgrest.log")
    rest.restart()
    said: list[str] = []
    watch = Supervisor(rest, None, said.append)
    for _time in range(MAX_RESTARTS):
        watch.check()
    with pytest.raises(DatabaseUnavailable, match="again and again") as refused:
        watch.check()
    assert said == ["PostgREST has ended (exit code 3) and is started again."] * MAX_RESTARTS
    assert "postgrest.log" in (refused.value.hint or "")


def test_watch__leaves_alone_what_was_never_started(tmp_path: Path) -> None:
    rest = PostgREST("postgresql://nobody@nowhere/", jwt_secret="s" * 32, log_file=tmp_path / "postgrest.log")
    said: list[str] = []
    Supervisor(rest, None, said.append).check()
    assert said == []


async def test_watch__replaces_what_runs_but_does_not_answer(
    db: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A PostgREST that is frozen is ended and started again, at the same address."""
    monkeypatch.setattr(supervisor, "PROBE_SECONDS", 0.3)
    said: list[str] = []
    with PostgREST(db.authenticator_url, jwt_secret="s" * 32, log_file=tmp_path / "postgrest.log") as rest:
        watch = asyncio.create_task(Supervisor(rest, None, said.append).run())
        assert rest._process is not None
        os.kill(rest._process.pid, signal.SIGSTOP)
        async with httpx.AsyncClient(timeout=1) as client:
            for _ in range(200):
                await asyncio.sleep(0.1)
                if said and await is_live(client, rest):
                    break
            else:
                pytest.fail(f"it was not started again: {said}")
        watch.cancel()
    assert said[0] == "PostgREST does not answer and is ended."


async def is_live(client: httpx.AsyncClient, rest: PostgREST) -> bool:
    """Whether PostgREST answers."""
    try:
        return (await client.get(rest.live_url)).is_success
    except httpx.TransportError:
        return False
