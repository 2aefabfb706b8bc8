"""The npm package @keepsake/client: its types hold, and its own tests pass against a running `keepsake up`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from keepsake.local.servers.node import ensure_workspaces, node, node_environment
from keepsake.local.stack import background
from keepsake.project.folder import ProjectFolder
from tests.architecture.source import ROOT

PACKAGE = ROOT / "frontend_contract" / "client"
BIN = {
    "tsc": "typescript/bin/tsc",
    "vite": "vite/bin/vite.js",
    "vitest": "vitest/vitest.mjs",
}


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    ensure_workspaces()


@pytest.fixture(scope="module")
def stack() -> Iterator[dict[str, str]]:
    """What the JavaScript tests are told of a stack that runs for them."""
    with TemporaryDirectory(prefix="keepsake-client-") as folder:
        project = ProjectFolder(Path(folder) / "data")
        running = background.start(project, port=0)
        keys = project.keys()
        try:
            yield {
                "KEEPSAKE_URL": running.api_url,
                "KEEPSAKE_PUBLISHABLE_KEY": keys.publishable_key,
                "KEEPSAKE_SECRET_KEY": keys.secret_key,
                "KEEPSAKE_DATA": str(project.folder),
                "KEEPSAKE_PYTHON": sys.executable,
            }
        finally:
            background.stop(project)


def _run(program: str, *arguments: str, **environment: str) -> None:
    _check([str(node()), str(ROOT / "node_modules" / BIN[program]), *arguments], environment)


def _check(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, cwd=PACKAGE, env=node_environment() | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_typescript__finds_nothing_wrong() -> None:
    _run("tsc")


def test_library__is_built(tmp_path: Path) -> None:
    _run("vite", "build", "--outDir", str(tmp_path))
    _run("tsc", "--project", "tsconfig.build.json", "--outDir", str(tmp_path))
    built = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert {"server.js", "server/index.d.ts", "ai-sdk.js", "react.js", "panel.js", "index.js"} <= built


def test_vitest__passes(stack: dict[str, str]) -> None:
    _run("vitest", "run", **stack, NO_COLOR="1")
