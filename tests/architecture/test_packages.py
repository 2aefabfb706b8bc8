"""The packages are the stages of the product, by the same name in every layer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.source import FUNCTIONS, PACKAGE, ROOT, deployed

STAGES = {
    "consent",
    "english",
    "evidence",
    "replies",
    "screening",
    "entities",
    "extraction",
    "merging",
    "reading",
    "context",
    "commands",
    "agent",
    "lifecycle",
    "summaries",
    "todos",
    "astrology",
    "sessions",
    "transfer",
    "explanation",
}
SHARED = {"memory", "memory_key", "text", "timezones", "model_availability"}
"""What every stage uses, beside the packages."""
USECASES_ONLY = {
    "embedding": "decides nothing: calls the endpoint and stores vectors",
    "models": "decides nothing: calls the language model and counts what it costs",
    "erasure": "decides nothing: the database finds what is erased",
    "turns": "decides nothing: claims, reads and finishes turns, alone or several at once",
}
JOBS = {"embed_memories", "run_model_trial"}
"""Use cases that a job calls, and no function."""
STORIES = {"stories"}
"""Tests that span several use cases."""
MIN_MODULES_OF_MAP = 10
"""From so many modules on, a package says what each is for: who opens its folder needs a map."""


def packages(folder: Path) -> set[str]:
    """The packages of a folder."""
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def stems(folder: Path) -> set[str]:
    """The modules of a folder, packages left out."""
    return {path.stem for path in folder.glob("*.py")} - {"__init__"}


def folders(folder: Path) -> set[str]:
    """The folders of a folder of tests."""
    return {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}


def unmapped(folder: Path) -> set[str]:
    """The modules of a large package that its docstring does not name."""
    found = stems(folder)
    named = set(re.findall(r"``(\w+)``", (folder / "__init__.py").read_text()))
    return found - named if len(found) >= MIN_MODULES_OF_MAP else set()


def test_domain__has_one_package_a_stage() -> None:
    """Seventeen packages, and four modules that all of them use."""
    assert packages(PACKAGE / "domain") == STAGES
    assert stems(PACKAGE / "domain") == SHARED


def test_usecases__have_one_module_a_function_or_job() -> None:
    """At the top nothing else; what they share is in packages."""
    functions = set(deployed((FUNCTIONS / "main.py").read_text())) - {"openapi"}
    assert stems(PACKAGE / "usecases") == functions | JOBS


def test_usecases__name_their_packages_as_the_domain_does() -> None:
    """A stage has one name in all layers; a package of one layer says why."""
    assert packages(PACKAGE / "usecases") - STAGES == USECASES_ONLY.keys()


@pytest.mark.parametrize("layer", ["domain", "usecases"])
def test_tests__are_in_folders_of_the_same_name(layer: str) -> None:
    """What a package does is tested in the folder of its name."""
    assert folders(ROOT / "tests" / layer) - STORIES <= packages(PACKAGE / layer)


@pytest.mark.parametrize("layer", ["domain", "usecases"])
def test_large_packages__say_what_each_module_is_for(layer: str) -> None:
    """The docstring of the package names them; at the top of the use cases each is named after its function."""
    folders_below = {path.parent for path in (PACKAGE / layer).glob("*/**/__init__.py")}
    assert {str(folder.relative_to(PACKAGE)): unmapped(folder) for folder in folders_below if unmapped(folder)} == {}


def test_packages__a_module_without_a_word_is_found(tmp_path: Path) -> None:
    """The check above can fail, and leaves small packages alone."""
    (tmp_path / "__init__.py").write_text("""Names ``module_0`` alone.""")
    for number in range(MIN_MODULES_OF_MAP - 1):
        (tmp_path / f"module_{number}.py").touch()
    assert unmapped(tmp_path) == set()
    (tmp_path / "arms.py").touch()
    assert "arms" in unmapped(tmp_path)
    assert "module_0" not in unmapped(tmp_path)


def test_packages__are_found(tmp_path: Path) -> None:
    """The checks above can fail."""
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms" / "__init__.py").touch()
    (tmp_path / "zones.py").touch()
    assert packages(tmp_path) == {"arms"}
    assert stems(tmp_path) == {"zones"}
    assert folders(tmp_path) == {"arms"}
