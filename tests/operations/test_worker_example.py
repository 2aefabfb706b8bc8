"""The container to copy from ``client/examples/worker_container``: its files, and its command without Docker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import yaml  # type: ignore[import-untyped]

from tests.architecture.source import ROOT
from tests.fixtures.db import Clone
from tests.fixtures.tokens import SECRET_KEY

EXAMPLE = ROOT / "frontend_contract" / "client" / "examples" / "worker_container"


def _command() -> list[str]:
    """What the container runs."""
    (line,) = [line for line in (EXAMPLE / "Dockerfile").read_text().splitlines() if line.startswith("CMD ")]
    command: list[str] = json.loads(line.removeprefix("CMD "))
    return command


def _settings() -> dict[str, str]:
    lines = (EXAMPLE / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_compose__gives_the_worker_the_settings_of_the_functions_and_time_to_stop() -> None:
    services = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())["services"]
    assert services["worker"]["env_file"] == services["functions"]["env_file"] == ".env"
    assert (EXAMPLE / services["worker"]["build"] / "Dockerfile").exists()
    assert services["worker"]["stop_grace_period"] == "30s"
    assert "ports" not in services["worker"]
    assert "ARG KEEPSAKE_IMAGE=" + services["functions"]["image"] in (EXAMPLE / "Dockerfile").read_text()


def test_container__runs_a_worker_that_ends_when_it_is_stopped(db: Clone, tmp_path: Path) -> None:
    """With the settings of the page alone, in an empty folder."""
    program, *arguments = _command()
    settings = _settings() | {"DATABASE_URL": db.api_url, "SUPABASE_SECRET_KEY": SECRET_KEY}
    command = [str(Path(sys.executable).parent / program), *arguments]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1", **settings}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        try:
            assert any("Working." in line for line in worker.stdout)
            worker.send_signal(signal.SIGTERM)
            rest, _ = worker.communicate(timeout=60)
        finally:
            worker.kill()
    assert worker.returncode == 0, rest
    assert "Stopped." in rest
