"""One stem, one slice: the name of a function finds its endpoint, wire models, story and tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.source import FUNCTIONS, ROOT, deployed

# The operator's own: they tell how things stand, and there is no story to it.
STORYLESS = {"health", "metrics", "openapi"}
# One test of each layer runs all three, which differ in the length of their period only.
SHARED_TESTS = {f"generate_{level}_summaries": "generate_summaries" for level in ("daily", "weekly", "monthly")}
SLICE = (
    "functions/keepsake/endpoints/{stem}.py",
    "functions/keepsake/contracts/{stem}.py",
    "functions/keepsake/usecases/{stem}.py",
    "tests/usecases/test_{tests}.py",
    "tests/http/test_{tests}.py",
)


def missing(stem: str, root: Path) -> list[str]:
    """The parts of a function's slice that are not where its name says."""
    parts = SLICE[:1] if stem in STORYLESS else SLICE
    return [
        path
        for part in parts
        if not (root / (path := part.format(stem=stem, tests=SHARED_TESTS.get(stem, stem)))).exists()
    ]


@pytest.mark.parametrize("stem", deployed((FUNCTIONS / "main.py").read_text()))
def test_slice__is_complete(stem: str) -> None:
    """Endpoint, contract, use case and the tests of both carry the function's name."""
    assert not missing(stem, ROOT)


def test_slice__a_missing_part_is_found(tmp_path: Path) -> None:
    """The check above can fail."""
    assert deployed("from keepsake.endpoints.inject_memory import inject_memory") == ["inject_memory"]
    assert missing("inject_memory", tmp_path) == [
        part.format(stem="inject_memory", tests="inject_memory") for part in SLICE
    ]
    assert missing("health", tmp_path) == ["functions/keepsake/endpoints/health.py"]
