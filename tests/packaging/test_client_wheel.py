"""The Python client is a small wheel of its own, and works where nothing of the server is installed."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from keepsake_client import KeepsakeClient
from tests.architecture.source import ROOT
from tests.packaging.environments import Environment, build_wheel, install_client, install_core

PROGRAM = """
import asyncio, sys
from keepsake_client import KeepsakeClient, TurnMemory
import httpx
async def main():
    async with KeepsakeClient("http://127.0.0.1:1", "sb_secret_x") as keepsake:
        try:
            await keepsake.call("run-due-jobs")
        except httpx.ConnectError:
            print("away")
asyncio.run(main())
print("keepsake" in sys.modules, "pydantic" in sys.modules)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT / "frontend_contract" / "python", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return install_client(wheel, tmp_path_factory.mktemp("client"))


def test_wheel__holds_the_client_and_its_license_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name) for name in archive.namelist()}
        size = sum(entry.file_size for entry in archive.infolist())
    assert {path.parts[0].split("-")[0] for path in names} == {"keepsake_client"}
    assert {"py.typed", "LICENSE"} <= {path.name for path in names}
    assert size < 60_000


def test_client__runs_without_anything_of_the_server(environment: Environment) -> None:
    done = environment.run("python", "-c", PROGRAM)
    assert done.stdout.split() == ["away", "False", "False"], done.stderr


def test_old_name__leads_to_the_client_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "keepsake.client", raising=False)  # which another test may have imported
    with pytest.deprecated_call(match="keepsake_client"):
        old = import_module("keepsake.client")
    assert old.KeepsakeClient is KeepsakeClient


def test_old_name__says_what_to_install(tmp_path: Path) -> None:
    """Where the server is installed without the client."""
    core = install_core(build_wheel(ROOT, tmp_path / "wheel"), tmp_path)
    done = core.run("python", "-c", "import keepsake.client")
    assert "pip install ./frontend_contract/python" in done.stderr


def test_a_release__that_lacks_something_is_refused(wheel: Path) -> None:
    """By the rehearsal in CI, which builds everything; here only one of its five files is there."""
    check = [sys.executable, str(ROOT / ".ci" / "check_release.py"), str(wheel.parent)]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len([line for line in done.stdout.splitlines() if line.endswith(": 0 files")]) == 4
