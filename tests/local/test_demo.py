"""The demo runs as a newcomer runs it, and what it says about itself can be relied on."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import psutil
import pytest
from rich.console import Console
from stdnum import luhn

from keepsake.local.demo.bundled_conversation import read_script
from keepsake.local.demo.bundled_year import months_before, read_year
from keepsake.local.demo.read_database import DatabaseProbe, count_log_lines
from keepsake.local.demo.report import MIN_WIDE, ONLY_WIDE, WIDTH, Report
from keepsake.local.demo.show_access_rights import DENIAL_COLUMNS
from keepsake.local.demo.show_context import COLUMNS as CONTEXT_COLUMNS
from keepsake.local.demo.show_memories import MEMORY_COLUMNS, REFUSAL_COLUMNS
from keepsake.project.folder import ProjectFolder, RunningStack
from tests.fixtures.db import Clone

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
CARD = "4000 0566 5566 5556"


@pytest.fixture(scope="module")
def output() -> subprocess.CompletedProcess[str]:
    """The demo, run once as a command, in a folder of its own, its output going to a pipe."""
    command = [sys.executable, "-m", "keepsake.cli", "demo", "--port", "0"]
    # Not pytest's own temporary folder: root's server runs as another user, who must pass through every folder above.
    with tempfile.TemporaryDirectory(prefix="keepsake-demo-") as folder:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def test_demo__every_expectation_holds(output: subprocess.CompletedProcess[str]) -> None:
    assert output.returncode == 0, output.stdout + output.stderr
    assert "✓" in output.stdout
    assert "✗" not in output.stdout


def test_demo__shows_what_matters(output: subprocess.CompletedProcess[str]) -> None:
    facts = [
        "Favorite food is ramen",
        "replaced by M-",
        "said twice",
        "does it still hold?",
        "may no longer hold",
        "guard: swiss_off",
        "screen: secret",
        "rules: asked",
        "rules: hedged",
        "rules: quoted",
        "found in public.messages (1 row)",
        "0 rows",
        "A year later",
        "How was my ",
        "to open their own bakery one day (",
        "It says nothing twice.",
        "has come true",
        "Her bakery is remembered once",
        "nobody is expecting her any more",
        "no longer a whole one too",
        "memory_ids",
        "make up",
    ]
    assert [fact for fact in facts if fact not in output.stdout] == []


def test_demo__reads_well_when_piped(output: subprocess.CompletedProcess[str]) -> None:
    assert "\x1b" not in output.stdout
    assert max(map(len, output.stdout.splitlines())) <= WIDTH


def test_demo__leaves_a_database_alone_that_is_not_its_own(tmp_path: Path) -> None:
    foreign = tmp_path / "project" / "postgres"
    foreign.mkdir(parents=True)
    command = [sys.executable, "-m", "keepsake.cli", "demo", "--data", str(foreign.parent)]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert completed.returncode == 1
    assert "holds a database that the demo did not make" in completed.stderr
    assert foreign.is_dir()


def test_script__holds_a_card_number_that_the_checksum_accepts() -> None:
    """Were it not valid, the screen would rightly let it pass and the demo would prove nothing."""
    secrets = read_script(NOW).secrets
    assert luhn.is_valid(secrets["card number"].replace(" ", ""))


def test_script__every_secret_is_said_once_and_every_turn_expects_something() -> None:
    script = read_script(NOW)
    turns = script.user_turns()
    assert [sum(secret in turn.text for turn in turns) for secret in script.secrets.values()] == [1, 1]
    assert all(bool(turn.expect) != bool(turn.reason) for turn in turns)


def test_script__lies_in_the_past_and_spans_days() -> None:
    times = [turn.at for chat in read_script(NOW).chats for turn in chat.turns]
    assert times == sorted(times)
    assert times[-1] < NOW
    assert times[-1] - times[0] > timedelta(days=8)


@pytest.mark.parametrize("now", [NOW, NOW - timedelta(days=1), datetime(2028, 2, 29, 23, 30, tzinfo=UTC)])
def test_year__holds_the_last_month_and_the_same_month_before(now: datetime) -> None:
    """Everybody speaks in both, in the waking hours of their own time zone."""
    year = read_year(now)
    for key, actor in year.actors.items():
        zone = ZoneInfo(actor.timezone)
        times = [turn.at.astimezone(zone) for chat in year.chats if key in chat.participants for turn in chat.turns]
        months = {(at.year, at.month) for at in times}
        last = months_before(now.astimezone(zone).date(), 1)
        assert {(last.year, last.month), (last.year - 1, last.month)} <= months
        assert all(7 <= at.hour <= 23 for at in times)
        assert times == sorted(times)


@pytest.mark.parametrize("planted", [CARD, "4000056655665556", f"keep {CARD.replace(' ', '-')} for me"])
def test_find_secret__finds_a_secret_however_it_is_written(db: Clone, planted: str) -> None:
    with db.as_owner() as connection:
        connection.execute("create table public.elsewhere (note jsonb)")
        connection.execute("insert into public.elsewhere values (to_jsonb(%s::text))", (planted,))
    assert _find_secret(db) == {"public.elsewhere": 1}


def test_find_secret__finds_a_secret_that_was_cut_into_lexemes(db: Clone) -> None:
    with db.as_owner() as connection:
        connection.execute("create table keepsake.elsewhere (words tsvector)")
        said = f"My card is {CARD}"
        connection.execute("insert into keepsake.elsewhere values (to_tsvector('english', %s))", (said,))
    assert _find_secret(db) == {"keepsake.elsewhere": 1}


def test_find_secret__finds_nothing_where_there_is_nothing(db: Clone) -> None:
    assert _find_secret(db) == {}


def test_count_log_lines__counts_the_lines_with_the_secret(tmp_path: Path) -> None:
    log = tmp_path / "stack.log"
    log.write_text('{"event": "ok"}\n{"text": "4000-0566-5566-5556"}\n')
    assert count_log_lines(CARD, [log, tmp_path / "absent.log"]) == (2, 1)


def test_report__a_failed_expectation_is_shown_and_kept() -> None:
    page = StringIO()
    report = Report(Console(file=page, width=WIDTH))
    report.expect("Water is wet.", is_met=True)
    report.expect("Pigs fly.", is_met=False)
    assert (report.met, report.failed) == (["Water is wet."], ["Pigs fly."])
    assert "✗ Pigs fly." in page.getvalue()


def _find_secret(db: Clone) -> dict[str, int]:
    probe = DatabaseProbe(db.owner_url)
    try:
        return probe.find_secret(CARD).found
    finally:
        probe.close()


TABLES = {
    "memories": MEMORY_COLUMNS,
    "refusals": REFUSAL_COLUMNS,
    "contexts": CONTEXT_COLUMNS,
    "denials": DENIAL_COLUMNS,
}
LONG = "What somebody said about a dog named Biscuit, at some length, and about much else"


@pytest.mark.parametrize("width", [80, 90, 100])
@pytest.mark.parametrize("name", TABLES)
def test_tables__show_every_column_whole_at_the_width_of_a_terminal(name: str, width: int) -> None:
    printed = StringIO()
    columns = TABLES[name]
    row = ["superseded" if not share else LONG for _, share in columns]
    Report(Console(file=printed, width=width)).table(columns, [row])
    lines = printed.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    left_out = ONLY_WIDE if width < MIN_WIDE else frozenset()
    assert [heading for heading, _ in columns if heading not in lines[0]] == [h for h, _ in columns if h in left_out]
    text = " ".join(" ".join(lines).split())
    assert text.count("superseded") == sum(not share and heading not in left_out for heading, share in columns)
    assert "…" not in text
    assert all(text.count(word) >= sum(bool(share) for _, share in columns) for word in ("Biscuit,", "somebody"))


def test_a_second_demo__leaves_the_first_one_running(tmp_path: Path) -> None:
    """What was said in a demo that is kept is not thrown away by whoever starts another."""
    project = ProjectFolder(tmp_path / "demo")
    with project.exclusive():
        (project.folder / "made-by-keepsake-demo").touch()
        project.database_dir.mkdir()
        (project.database_dir / "PG_VERSION").write_text("16")
        state = RunningStack(os.getpid(), "http://127.0.0.1:1", "postgresql://o", "postgresql://f", embedded=True)
        project.write_state(state)
        command = [sys.executable, "-m", "keepsake.cli", "demo", "--port", "0", "--data", str(project.folder)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (project.database_dir / "PG_VERSION").exists()
    assert done.returncode == 1
    assert "http://127.0.0.1:1" in done.stderr
    assert "down --data" in done.stderr


@pytest.mark.parametrize("seconds", [1.0, 4.0])
def test_a_demo_that_is_terminated_while_it_starts__leaves_nothing_running(seconds: float) -> None:
    with tempfile.TemporaryDirectory(prefix="keepsake-demo-") as folder:
        command = [sys.executable, "-m", "keepsake.cli", "demo", "--port", "0", "--data", f"{folder}/data"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as demo:
            started = Path(folder) / "data" / "up.log"
            until = time.monotonic() + 60
            while not started.exists() and time.monotonic() < until:
                time.sleep(0.02)
            time.sleep(seconds)
            demo.terminate()
            assert demo.wait(60) != 0
        commands = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
    assert [command for command in commands if folder in command] == []
