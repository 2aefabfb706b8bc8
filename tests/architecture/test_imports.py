"""The import rule holds, and a planted violation of each part of it turns the check red."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.architecture.source import FUNCTIONS, PACKAGE, ROOT, imported, modules, used

# What only some modules may import or use, beyond what the layers say: prefix of the name, then who may.
RESERVED: Mapping[str, tuple[str, ...]] = {
    "openai": ("infra/models/chat.py", "infra/models/chat_stream.py", "infra/models/endpoint_embedder.py"),
    "pydantic_settings": ("infra/settings.py",),
    "os.environ": ("infra/settings.py", "operations/", "local/"),
    "os.getenv": ("infra/settings.py",),
    "procrastinate": ("infra/", "jobs/", "operations/", "local/"),
    "jwt": ("infra/", "project/", "local/"),
    "prometheus_client": ("infra/metrics.py",),
    "datetime.now": ("infra/clock.py", "project/", "operations/", "local/"),
    "datetime.utcnow": (),
}

_INSIDE_READING = re.compile(r"keepsake\.domain\.reading(?:\.\w+\.\w|\.read$)")


def trespasses(module: str, text: str) -> list[str]:
    """The reserved names that this module of the package may not touch, but does."""
    tree = ast.parse(text)
    touched = {*imported(tree), *(name for name in used(tree) if name in RESERVED)}
    return [
        f"{module} touches {name}"
        for name, allowed in RESERVED.items()
        if any(f"{touch}.".startswith(f"{name}.") for touch in touched) and not module.startswith(allowed)
    ]


def ways_around_the_door(text: str) -> list[str]:
    """What a module outside of `domain/reading` imports of it past what its packages export."""
    froms = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) and node.module)
    return [node.module for node in froms if node.module and _INSIDE_READING.match(node.module)]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the package in this folder, by the contracts of pyproject.toml."""
    script = Path(sys.executable).with_name("lint-imports")
    command = [str(script), "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_layers__hold() -> None:
    """Nothing imports upward or sideways."""
    done = lint_imports(FUNCTIONS)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "module, line, contract",
    [
        ("domain/memory.py", "import psycopg", "The domain waits for nothing"),
        ("domain/memory.py", "import os", "The domain waits for nothing"),
        ("domain/memory.py", "import logging", "The domain waits for nothing"),
        ("domain/memory.py", "import keepsake.infra.clock", "A layer imports layers below it"),
        ("infra/clock.py", "import keepsake.domain.memory", "A layer imports layers below it"),
        ("store/__init__.py", "import keepsake.usecases", "A layer imports layers below it"),
        ("usecases/__init__.py", "import keepsake.contracts", "A layer imports layers below it"),
        ("endpoints/__init__.py", "import keepsake.jobs", "A layer imports layers below it"),
        ("jobs/__init__.py", "import keepsake.endpoints", "A layer imports layers below it"),
        ("errors.py", "import keepsake.identity", "A layer imports layers below it"),
        ("misc.py", "import json", "A layer imports layers below it"),
        ("contracts/__init__.py", "import keepsake.infra.clock", "Wire models know the domain"),
        ("usecases/__init__.py", "import psycopg", "Only the store"),
        ("usecases/__init__.py", "import starlette", "Only the endpoints"),
        ("local/__init__.py", "import keepsake.endpoints", "The local stack loads the functions"),
    ],
)
def test_layers__a_planted_violation_is_found(tmp_path: Path, module: str, line: str, contract: str) -> None:
    """Every contract can fail."""
    shutil.copytree(PACKAGE, tmp_path / "keepsake", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "keepsake" / module).open("a") as planted:
        planted.write(f"\n{line}\n")
    done = lint_imports(tmp_path)
    said = " ".join(done.stdout.split())
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(contract in part.split(" KEPT")[-1] for part in said.split(" BROKEN")[:-1]), said


def test_reserved_names__are_touched_only_where_they_belong() -> None:
    """One reader of the environment, one speaker to the model, one teller of the time."""
    found = [fault for path in modules("functions/keepsake") for fault in _trespasses_of(path)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "module, line",
    [
        ("domain/memory.py", "from openai import AsyncOpenAI"),
        ("infra/database/database.py", "import os\nos.environ['HOME']"),
        ("infra/database/database.py", "from os import getenv"),
        ("store/memories.py", "import procrastinate"),
        ("usecases/inject_memory.py", "from jwt import decode"),
        ("domain/periods.py", "from datetime import datetime\nnow = datetime.now()"),
    ],
)
def test_reserved_names__a_planted_trespass_is_found(module: str, line: str) -> None:
    """The check above can fail."""
    assert trespasses(module, line)


def test_reading__is_entered_by_its_doors() -> None:
    """Who wants to know what a message says imports a package of `domain/reading`, and none of its modules."""
    outside = (one for one in modules("functions/keepsake") if "domain/reading/" not in one.as_posix())
    found = {one.relative_to(PACKAGE).as_posix(): ways_around_the_door(one.read_text()) for one in outside}
    assert not {module: ways for module, ways in found.items() if ways}


def test_reading__a_way_around_its_doors_is_found() -> None:
    """The check above can fail."""
    assert ways_around_the_door("from keepsake.domain.reading.message.language import is_unreadable")
    assert not ways_around_the_door("from keepsake.domain.reading.message import is_unreadable")


def test_main__imports_endpoints_and_jobs_only() -> None:
    """The table of contents holds no story of its own; beside it, it only checks the settings."""
    tree = ast.parse((FUNCTIONS / "main.py").read_text())
    ours = {name for name in imported(tree) if name.startswith("keepsake")}
    assert ours
    allowed = ("keepsake.endpoints.", "keepsake.jobs.", "keepsake.infra.resources.")
    assert all(f"{name}.".startswith(allowed) for name in ours), ours


def _trespasses_of(path: Path) -> list[str]:
    return trespasses(path.relative_to(PACKAGE).as_posix(), path.read_text())
