"""Loads the fixture plugins, and says at the top of every run what the tests ran against."""

from __future__ import annotations

import gc
import os
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from keepsake.domain.english.lemmas import load_lemma_tables
from keepsake.local.servers.npm_packages import postgrest_binary
from tests.fixtures.servers import embedded_binaries

os.environ["EMBEDDING"] = "off"  # the installed model is loaded only by the tests that are about it
load_lemma_tables()  # half a second on first use, which no generated example should wait for

pytest_plugins = [
    "tests.fixtures.clock",
    "tests.fixtures.pgbouncer",
    "tests.fixtures.db",
    "tests.fixtures.model",
    "tests.fixtures.people",
    "tests.fixtures.resources",
    "tests.fixtures.rest",
    "tests.fixtures.round_trips",
    "tests.fixtures.scene",
    "tests.fixtures.versions",
]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Name the database, the REST server and the driver: a green run says what it was green against."""
    del config
    binaries = embedded_binaries(16)
    pgvector = (binaries.parent / "share/postgresql/extension/vector.control").read_text().split("default_version = '")
    return [
        f"{_says(binaries / 'postgres')}, pgvector {pgvector[1].split(chr(39))[0]}, {_says(postgrest_binary())}",
        f"psycopg {version('psycopg')}, procrastinate {version('procrastinate')}, supabase {version('supabase')}",
        f"running as {'root' if os.geteuid() == 0 else 'an ordinary user'}",
    ]


def pytest_collection_finish() -> None:
    """Keep what has been imported out of every later search for garbage, a twentieth of the tests' CPU time."""
    gc.freeze()


def _says(program: Path) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
