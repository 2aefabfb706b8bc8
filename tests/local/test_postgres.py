"""The embedded Postgres: starts anywhere, stops when told, and outlives neither its process nor a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import psycopg
import pytest

from keepsake.errors import Conflict
from keepsake.local.servers.postgres import EmbeddedPostgres

HOLD_A_SERVER = """
import sys, time
from pathlib import Path
from keepsake.local.servers.postgres import EmbeddedPostgres
print(EmbeddedPostgres(Path(sys.argv[1]), durable=False).start(), flush=True)
time.sleep(60)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder outside pytest's own, which the server's user could not pass when we are root."""
    with TemporaryDirectory(prefix="keepsake-postgres-") as name:
        yield Path(name)


def _one(url: str, query: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row
    return row[0]


def _servers(data_dir: Path) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if str(data_dir) in (p.info["cmdline"] or [])]


@pytest.mark.parametrize("version", [16, 18])
def test_start__keeps_data_and_text_rules_over_a_restart(folder: Path, version: int) -> None:
    for expected in (0, 1):
        with EmbeddedPostgres(folder / "data", version=version, durable=False) as server:
            assert str(_one(server.url(), "show server_version")).startswith(str(version))
            assert _one(server.url(), "select lower('ÄÉ') || to_tsvector('german', 'Häuser')") == "äé'haus':1"
            assert _one(server.url(), "select count(*) from pg_tables where tablename = 'kept'") == expected
            with psycopg.connect(server.url()) as connection:
                connection.execute("create table if not exists kept ()")
        assert not _servers(folder / "data")


def test_start__in_a_folder_too_deep_for_a_socket(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60) / "data"
    with EmbeddedPostgres(deep, durable=False) as server:
        assert _one(server.url(), "show data_directory") == str(deep)
        assert server._socket_dir.stat().st_mode & 0o077 == 0
    assert not server._socket_dir.exists()


def test_start__in_a_folder_with_spaces_and_signs(folder: Path) -> None:
    with EmbeddedPostgres(folder / "my data & 50%", durable=False) as server:
        assert _one(server.url(), "select 1") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_start__refuses_a_folder_of_somebody_else(folder: Path) -> None:
    (folder / "data").mkdir()
    os.chown(folder / "data", 65534, 65534)
    with pytest.raises(Conflict, match="belongs to somebody else"):
        EmbeddedPostgres(folder / "data", durable=False).start()
    assert (folder / "data").stat().st_uid == 65534


def test_start__is_not_led_astray_by_a_link(folder: Path) -> None:
    """A short socket folder lies where everybody may write."""
    server = EmbeddedPostgres(folder / ("d" * 60) / ("e" * 60) / "data", durable=False)
    server._socket_dir.symlink_to(folder)
    try:
        with pytest.raises(Conflict, match="belongs to somebody else"):
            server.start()
    finally:
        server._socket_dir.unlink()


def test_start__refuses_a_folder_in_use(folder: Path) -> None:
    with EmbeddedPostgres(folder / "data", durable=False), pytest.raises(Conflict, match="Another process"):
        EmbeddedPostgres(folder / "data", durable=False).start()


def test_start__after_its_process_was_killed(folder: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", HOLD_A_SERVER, folder / "data"], stdout=subprocess.PIPE)
    with killed:
        assert killed.stdout
        url = killed.stdout.readline().decode().strip()
        with psycopg.connect(url) as connection:
            connection.execute("create table survivor ()")
        killed.kill()
    with EmbeddedPostgres(folder / "data", durable=False) as server:
        assert _one(server.url(), "select count(*) from survivor") == 0
        assert len([p for p in _servers(folder / "data") if p.ppid() == os.getpid()]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_server__ends_when_its_process_is_killed(folder: Path) -> None:
    killed = subprocess.Popen([sys.executable, "-c", HOLD_A_SERVER, folder / "data"], stdout=subprocess.PIPE)
    with killed:
        assert killed.stdout
        killed.stdout.readline()
        assert _servers(folder / "data")
        killed.kill()
    until = time.monotonic() + 60
    while _servers(folder / "data") and time.monotonic() < until:
        time.sleep(0.05)
    assert not _servers(folder / "data")


def test_start__takes_over_from_an_orphan_that_still_runs(folder: Path) -> None:
    """Where the kernel does not end it, the next start does."""
    orphaned = EmbeddedPostgres(folder / "data", durable=False)
    orphaned.start()
    assert orphaned.process
    orphaned.release_lock()  # its process is gone, as far as the next one can see
    with EmbeddedPostgres(folder / "data", durable=False) as server:
        assert _one(server.url(), "select 1") == 1
        assert orphaned.process.wait(5) is not None


def test_start__is_not_fooled_by_a_pid_file_that_names_another_program(folder: Path) -> None:
    with EmbeddedPostgres(folder / "data", durable=False):
        pass
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        (folder / "data" / "postmaster.pid").write_text(f"{bystander.pid}\n{folder / 'data'}\n")
        with EmbeddedPostgres(folder / "data", durable=False) as server:
            assert _one(server.url(), "select 1") == 1
        assert bystander.poll() is None
    finally:
        bystander.send_signal(signal.SIGKILL)
        bystander.wait()


def test_folders_above_the_data__can_be_passed_but_not_listed(folder: Path) -> None:
    folder.chmod(0o700)
    with EmbeddedPostgres(folder / "data", durable=False):
        assert folder.stat().st_mode & 0o066 == 0
        assert (folder / "data").stat().st_mode & 0o077 == 0


def test_log__never_quotes_a_failing_statement_or_row(folder: Path) -> None:
    with EmbeddedPostgres(folder / "data", durable=False) as server, psycopg.connect(server.url()) as connection:
        connection.execute("create table said (words text check (words <> 'my secret'))")
        with pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("insert into said values ('my secret')")
    assert "my secret" not in server.log_file.read_text()
    assert "violates check constraint" in server.log_file.read_text()
