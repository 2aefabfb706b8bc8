"""The wheel carries everything, and works where there is no checkout."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from keepsake.infra.package_files import migration_versions
from keepsake.local.servers.npm_packages import npm_folder
from keepsake.local.servers.processes import LOOPBACK, free_port
from tests.architecture.source import ROOT, committed_files
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.servers import Cluster, embedded
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL, SECRET_KEY
from tests.packaging.environments import (
    Environment,
    build_archive,
    build_wheel,
    install_core,
    install_local,
)

EVERYTHING = """
select json_build_array(
  (select array_agg(rolname order by 1) from pg_roles), (select array_agg(nspname order by 1) from pg_namespace),
  (select count(*) from pg_class), (select count(*) from pg_proc))::text
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that root's Postgres, which runs as another user, may pass through."""
    with tempfile.TemporaryDirectory(prefix="keepsake-wheel-") as name:
        yield Path(name).resolve()


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    """The wheel of this checkout."""
    return build_wheel(ROOT, folder / "wheel")


@pytest.fixture(scope="module")
def core(wheel: Path, folder: Path) -> Environment:
    """What `pip install keepsake` gives."""
    return install_core(wheel, folder / "core")


@pytest.fixture(scope="module")
def local(wheel: Path, folder: Path) -> Environment:
    """What `pip install 'keepsake[local]'` gives, with PostgREST already in the cache."""
    environment = install_local(wheel, folder / "local")
    script = "from keepsake.local.servers.npm_packages import npm_folder; print(npm_folder())"
    cache = Path(environment.run("python", "-c", script).stdout.strip())
    (cache / "node_modules").symlink_to(npm_folder() / "node_modules")
    return environment


@pytest.fixture(scope="module")
def plain_server() -> Iterator[Cluster]:
    """A Postgres server on which Supabase has made nothing."""
    with embedded(16) as server:
        yield server


@contextmanager
def _served(environment: Environment, target: str, **settings: str) -> Iterator[str]:
    """The URL of a function, served as the README says, and stopped at the end of the block."""
    source, port = environment.run("keepsake", "functions-source").stdout.strip(), free_port()
    options = ["--source", source, "--target", target, "--host", LOOPBACK, "--port", str(port)]
    with subprocess.Popen(
        [environment.path("python"), "-m", "functions_framework", *options],
        cwd=environment.folder,
        env=environment.variables(**settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            yield _reachable(f"http://{LOOPBACK}:{port}/", server)
        finally:
            server.terminate()


def _reachable(url: str, server: subprocess.Popen[bytes]) -> str:
    until = time.monotonic() + 30
    while server.poll() is None and time.monotonic() < until:
        try:
            httpx.get(url, timeout=5)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return url
    pytest.fail(f"functions_framework does not answer (exit code {server.poll()})")


def _settings(db: Clone) -> dict[str, str]:
    return {
        "DATABASE_URL": db.api_url,
        "MIGRATION_DATABASE_URL": db.owner_url,
        "SUPABASE_URL": PROJECT_URL,
        "SUPABASE_JWT_SECRET": JWT_SECRET,
        "INJECT_PATIENCE_SECONDS": "60",  # on a busy machine the first connection takes longer
    }


def test_wheel__holds_every_file_of_the_package_and_the_sql(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    copied = ("sql/", "supabase/", "functions/main.py", "package.json", "package-lock.json")
    for path in (str(file.relative_to(ROOT)) for file in committed_files()):
        if path.startswith("functions/keepsake/"):
            assert path.removeprefix("functions/") in held
        elif path.startswith(copied):
            assert f"keepsake/package_files/{path}" in held


def test_wheel__holds_nothing_else(wheel: Path) -> None:
    top = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name.partition("-")[0] for name in top} == {"keepsake"}
    assert len(top) == 2  # the package, and what describes it


def test_source_archive__gives_the_same_wheel(wheel: Path, folder: Path) -> None:
    archive = build_archive(folder / "archive")
    with tarfile.open(archive) as opened:
        assert not [name for name in opened.getnames() if "/tests/" in name or "/bench/" in name]
    again = build_wheel(archive, folder / "again")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_core__runs_from_the_wheel_and_not_from_the_checkout(core: Environment) -> None:
    script = "import keepsake.endpoints, keepsake.infra.package_files as files; print(files.ROOT, files.__file__)"
    for path in core.run("python", "-c", script).stdout.split():
        assert path.startswith(str(core.root))


def test_core__migrates_a_supabase_project(core: Environment, blank_db: Clone) -> None:
    done = core.run("keepsake", "migrate", MIGRATION_DATABASE_URL=blank_db.owner_url)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"Applied {len(migration_versions())} migrations.\n")
    assert blank_db.value("select count(*) from supabase_migrations.schema_migrations") == len(migration_versions())


def test_core__refuses_a_plain_server_in_a_line_and_changes_nothing(core: Environment, plain_server: Cluster) -> None:
    plain = Clone(plain_server, "postgres")
    before = plain.value(EVERYTHING)
    done = core.run("keepsake", "migrate", MIGRATION_DATABASE_URL=plain.superuser_url)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "keepsake: This is not the database of a Supabase project, so nothing was changed. It lacks the role anon, "
        "the role authenticated, the role service_role, the table auth.users, the function auth.uid().\n"
    )
    assert plain.value(EVERYTHING) == before


def test_core__doctor_finds_nothing_wrong(core: Environment, db: Clone) -> None:
    done = core.run("keepsake", "doctor", **_settings(db))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✓ schema: at " in done.stdout
    assert "✓ data: all that must hold holds" in done.stdout


def test_core__has_the_files_of_schedule_and_adoption(core: Environment, db: Clone) -> None:
    address = "https://memory.example.com/functions/v1"
    printed = core.run("keepsake", "schedule", "--functions-url", address, SUPABASE_SECRET_KEY=SECRET_KEY)
    assert printed.stdout.count(f"{address}/") == 5, printed.stderr
    with db.as_owner() as owner:
        owner.execute(
            "create table public.threads (id bigint primary key, user_id uuid references auth.users (id));"
            "create table public.lines (id bigint primary key, thread_id bigint references public.threads (id),"
            " role text, content text, created_at timestamptz)"
        )
        owner.commit()
    folder = core.folder / "migrations"
    folder.mkdir()
    done = core.run("keepsake", "adopt", "--to", str(folder), MIGRATION_DATABASE_URL=db.owner_url)
    assert done.returncode == 0, done.stderr
    assert "chat_copies.agree" in next(folder.glob("*_keepsake_copies.sql")).read_text()


def test_core__serves_a_function(core: Environment, db: Clone, people: People) -> None:
    ada = people.person()
    people.memory(ada, "Lives in Lisbon")
    turn = {"user_id": str(ada.user_id), "user_message": "What is it like where I live, in Lisbon?"}
    turn["conversation_id"] = str(people.conversation(ada))
    with _served(core, "inject_memory", SUPABASE_SECRET_KEY=SECRET_KEY, **_settings(db)) as url:
        answer = httpx.post(url, json=turn, headers={"apikey": SECRET_KEY}, timeout=60)
    assert answer.status_code == 200, answer.text
    assert "Lives in Lisbon" in answer.json()["context"]


@pytest.mark.parametrize("command", ["up", "demo"])
def test_core__names_the_extra_that_a_command_needs(core: Environment, command: str) -> None:
    done = core.run("keepsake", command)
    assert done.returncode == 1
    assert done.stderr.startswith("keepsake: This command needs the package ")
    assert done.stderr.endswith("Install it in Keepsake's checkout: pip install '.[local]'\n")
    assert done.stderr.count("\n") == 2
    assert not (core.folder / ".keepsake").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["token", "--user", "ada@example.com"],
        ["worker"],
        ["embed"],
        ["mcp", "--user", "00000000-0000-4000-8000-000000000001"],
    ],
    ids=lambda command: command[0],
)
def test_core__runs_a_command_that_needs_no_extra(core: Environment, command: list[str]) -> None:
    """It gets as far as to miss a database, which is nothing that a package would bring."""
    done = core.run("keepsake", *command)
    assert done.returncode == 1
    assert "`keepsake up`" in done.stderr.splitlines()[-1]


def test_local__runs_the_stack_from_an_empty_folder(local: Environment) -> None:
    with subprocess.Popen(
        [local.path("keepsake"), "up", "--port", "0"],
        cwd=local.folder,
        env=local.variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as stack:
        try:
            assert stack.stdout is not None
            assert stack.stdout.readline() == "Keepsake is running.\n"
            examined = local.run("keepsake", "doctor")
            assert local.run("keepsake", "down").stdout == "Stopped.\n"
        finally:
            stack.terminate()
    assert examined.returncode == 0, examined.stdout
    assert "✓ REST: answers at " in examined.stdout
