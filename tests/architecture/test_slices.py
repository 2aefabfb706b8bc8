"""One stem, one slice: the name of a function finds its endpoint, wire models, story and tests."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.source import FUNCTIONS, ROOT

# The operator's own: they tell how things stand, and there is no story to it.
STORYLESS = {"health", "metrics", "openapi"}
SLICE = (
    "functions/keepsake/endpoints/{stem}.py",
    "functions/keepsake/contracts/{stem}.py",
    "functions/keepsake/usecases/{stem}.py",
    "tests/usecases/test_{stem}.py",
    "tests/http/test_{stem}.py",
)


def deployed(main: str) -> list[str]:
    """The names of the functions that `main.py` deploys: what it takes from the endpoints."""
    imports = (node for node in ast.parse(main).body if isinstance(node, ast.ImportFrom))
    return [
        alias.name for node in imports if (node.module or "").startswith("keepsake.endpoints") for alias in node.names
    ]


def missing(stem: str, root: Path) -> list[str]:
    """The parts of a function's slice that are not where its name says."""
    parts = SLICE[:1] if stem in STORYLESS else SLICE
    return [path for part in parts if not (root / (path := part.format(stem=stem))).exists()]


@pytest.mark.parametrize("stem", deployed((FUNCTIONS / "main.py").read_text()))
def test_slice__is_complete(stem: str) -> None:
    """Endpoint, contract, use case and the tests of both carry the function's name."""
    assert not missing(stem, ROOT)


def test_slice__a_missing_part_is_found(tmp_path: Path) -> None:
    """The check above can fail."""
    assert deployed("from keepsake.endpoints.inject_memory import inject_memory") == ["inject_memory"]
    assert missing("inject_memory", tmp_path) == [part.format(stem="inject_memory") for part in SLICE]
    assert missing("health", tmp_path) == ["functions/keepsake/endpoints/health.py"]
