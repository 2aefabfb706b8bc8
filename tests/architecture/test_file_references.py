"""Pages name files that exist: a file that is moved or renamed takes its mentions along."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, committed_files

PAGES = sorted(
    (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        ROOT / "bench" / "README.md",
        ROOT / "frontend_contract" / "README.md",
    )
)
HISTORY = {"CHANGELOG.md"}
"""Pages that also tell of what is no more."""
_FILE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|sql|txt|toml|jsonl|md|ts|tsx|json|mjs))`")
ELSEWHERE = re.compile(r"do_something\.|^tokenizer\.json$")
"""Files that a reader makes by an example, or that a folder of a model has."""


def missing_files(text: str, known: Iterable[str]) -> Iterator[str]:
    """The files between backticks that are no file of the repository, by their whole path or its end."""
    paths = [f"/{path}" for path in known]
    for name in dict.fromkeys(_FILE.findall(text)):
        if not ELSEWHERE.search(name) and not any(path.endswith(f"/{name}") for path in paths):
            yield name


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in HISTORY], ids=lambda page: page.name)
def test_pages__name_files_that_exist(page: Path) -> None:
    """Whoever follows a path arrives."""
    known = [str(path.relative_to(ROOT)) for path in committed_files()]
    assert list(missing_files(page.read_text(encoding="utf-8"), known)) == []


def test_missing_files__a_planted_one_is_found() -> None:
    """The check above can fail, and takes the end of a path for the path."""
    known = ["functions/keepsake/domain/merging/merge.py"]
    assert list(missing_files("`merging/merge.py` and `merge.py`, `rging/merge.py`", known)) == ["rging/merge.py"]
