"""The watch starts PostgREST again, but not for ever where it cannot stay up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from keepsake.errors import DatabaseUnavailable
from keepsake.local.servers.postgrest import PostgREST
from keepsake.local.stack.supervisor import MAX_RESTARTS, Supervisor


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
