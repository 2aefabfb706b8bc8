"""Every command explains itself, refuses what it does not know with 2, and ends with 1 and a hint where it fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.core import TyperGroup

from keepsake.cli import main
from keepsake.cli.app import app
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone

_GROUP = typer.main.get_command(app)
assert isinstance(_GROUP, TyperGroup)
COMMANDS: dict[str, Any] = dict(_GROUP.commands)
NOWHERE = "postgresql://keepsake_api@127.0.0.1:1/postgres"
"""The address of a database that does not run."""

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in a folder without a stack and without settings; returns its exit code and all it says."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("MIGRATION_DATABASE_URL", *map(str.upper, Settings.model_fields)):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["keepsake", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return int(ended.value.code or 0), _unframed(said.out + said.err)

    return run


def _unframed(text: str) -> str:
    return " ".join(re.sub("[│╭╮╰╯─]", " ", text).split())


def _options(command: str) -> list[str]:
    """The long names of the options of a command."""
    return [name for param in COMMANDS[command].params for name in param.opts if name.startswith("--")]


@pytest.mark.parametrize("command", COMMANDS)
def test_help__has_an_example_and_a_sentence_for_each_option(run: Run, command: str) -> None:
    code, said = run(command, "--help")
    assert code == 0
    assert [param.name for param in COMMANDS[command].params if not (param.help or "").endswith((".", "7d."))] == []
    assert [name for name in _options(command) if name not in said] == []
    assert re.search(rf"- `[^`]*(?:keepsake |\$\(keepsake ){command}\b", COMMANDS[command].help)


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_option__is_answered_with_those_that_there_are(run: Run, command: str) -> None:
    code, said = run(command, "--qqq")
    assert code == 2
    assert "No such option '--qqq'." in said
    assert [name for name in [*_options(command), "--help"] if name not in said] == []


@pytest.mark.parametrize("command, option", [(name, option) for name in COMMANDS for option in _options(name)])
def test_misspelled_option__is_answered_with_the_one_that_was_meant(run: Run, command: str, option: str) -> None:
    code, said = run(command, f"{option}{option[-1]}")
    assert code == 2
    assert f"Did you mean '{option}'?" in said


@pytest.mark.parametrize(
    "arguments, hint",
    [
        (["--qqq"], "There are --version, --help."),
        (["statsu"], "Did you mean 'status'?"),
        (["token"], "Missing option '--user'."),
        (["token", "--user", "ada@example.com", "--expires", "soon"], "Write 90s, 30m, 12h or 7d."),
        (["status", "extra"], "(extra)"),
        (["up", "--port", "65536"], "A port is a number from 0 to 65535."),
        (["mcp"], "Name a person with --user, or a port to serve everybody on with --http."),
        (["mcp", "--http", "0", "--conversation", "12"], "'--conversation'"),
        (["backfill"], "Name a person with --user, or everybody with --all."),
        (["backfill", "--all", "--since", "May"], "Write 2026-01-31, or 2026-01-31T18:00+01:00."),
        (["backfill", "--all", "--calls-per-minute", "0"], "It is at least 1."),
        (["status", "--data", __file__], "is a file"),
    ],
)
def test_wrong_use__ends_with_2_and_says_what_is_right(run: Run, arguments: list[str], hint: str) -> None:
    code, said = run(*arguments)
    assert (code, hint in said) == (2, True), said


@pytest.mark.parametrize(
    "arguments",
    [
        ["token", "--user", "ada@example.com"],
        ["status"],
        ["migrate"],
        ["migrate", "--list"],
        ["backfill", "--all"],
        ["doctor"],
        ["worker"],
        ["embed"],
        ["mcp", "--http", "0"],
    ],
)
def test_without_stack__ends_with_1_and_says_how_to_start_one(run: Run, arguments: list[str]) -> None:
    code, said = run(*arguments)
    assert code == 1
    assert "`keepsake up`" in said


def test_without_stack__there_is_nothing_to_stop(run: Run) -> None:
    assert run("down") == (0, "Nothing was running.")


@pytest.mark.parametrize(
    "arguments, hint",
    [
        (["migrate", "--migration-database-url", NOWHERE], "Is its address right"),
        (["doctor", "--database-url", NOWHERE], "Check DATABASE_URL"),
        (["backfill", "--all", "--database-url", NOWHERE], "Is its address right"),
        (["backfill", "--user", "12", "--database-url", NOWHERE], "'12' is not an id."),
    ],
)
def test_failure__ends_with_1_and_a_hint(tmp_path: Path, arguments: list[str], hint: str) -> None:
    """A database that is named by an option needs no variable."""
    assert hint in _failure(tmp_path, arguments)


@pytest.mark.parametrize(
    "arguments", [["backfill", "--all"], ["explain", "6f1c1111-1111-4111-8111-111111111111"], ["worker"]]
)
def test_database_without_keepsake__is_told_to_be_migrated(
    blank_db: Clone, tmp_path: Path, arguments: list[str]
) -> None:
    assert "Run `keepsake migrate`" in _failure(tmp_path, [*arguments, "--database-url", blank_db.superuser_url])


def _failure(folder: Path, arguments: list[str]) -> str:
    """What a command says that ends with 1."""
    keys = {"SUPABASE_JWT_SECRET": "s" * 40, "SUPABASE_SECRET_KEY": "sb_secret_" + "k" * 20}
    ended = subprocess.run(
        [sys.executable, "-m", "keepsake.cli", *arguments],
        cwd=folder,
        env={name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ} | keys,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return _unframed(ended.stdout + ended.stderr)
