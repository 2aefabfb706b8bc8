"""The pages of documentation are true: their links lead somewhere, their code runs, their commands exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from datetime import datetime
from functools import cache
from pathlib import Path

import psycopg
import pytest

from keepsake.operations.migrate import migrate
from keepsake.operations.removal.remove import remove
from tests.architecture.source import ROOT
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.operations.test_adopt import adopted

PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), ROOT / "frontend_contract" / "README.md"]
# Blocks that a test executes: of Python and JavaScript in test_readme.py and tests/acceptance, of SQL below and in
# test_existing_tables.py, and the usual case of existing tables in test_usual_case.py.
EXECUTED = {
    ("python", "backend"),
    ("python", "first words"),
    ("python", "person"),
    ("python", "agent"),
    ("python", "client"),
    ("python", "openai agents"),
    ("python", "langgraph"),
    ("javascript", "backend"),
    ("javascript", "agree"),
    ("sql", "login"),
    ("sql", "functions login"),
    ("sql", "doubted"),
    ("sql", "copied chats"),
    ("sql", "copied messages"),
    ("sql", "agreed"),
    ("sql", "old messages"),
    ("sql", "remember since"),
    ("sql", "external person"),
    ("python", "external token"),
    ("python", "computed id"),
}
_LANGUAGES = {"python": "python", "js": "javascript", "sql": "sql"}
_BLOCK = re.compile(
    r"(?:<!-- (?P<kind>\w+): (?P<name>[\w ]+) -->\n)?^```(?P<language>\w*)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE
)
_WRITES = """
with person as (insert into auth.users (id) values (gen_random_uuid()) returning id),
profile as (insert into public.user_profile_list (user_id, name, is_primary) select id, 'Ada', true from person)
insert into public.conversations (user_id) select id from person;
insert into public.messages (conversation_id, user_id, role, content)
select id, user_id, 'user', 'Hi' from public.conversations;
update public.messages set content = 'Hello';
"""
# Stands for the extensions that only a Supabase project has.
_EXTENSIONS = """
create schema cron;
create table cron.job (name text primary key, schedule text not null, command text not null);
create function cron.schedule(name text, schedule text, command text) returns void language sql as
  'insert into cron.job values ($1, $2, $3)';
create schema net;
create function net.http_post(url text, body jsonb, timeout_milliseconds integer, headers jsonb) returns jsonb
  language sql as 'select headers';
create schema vault;
create table vault.secrets (id uuid default gen_random_uuid(), name text primary key, decrypted_secret text not null);
create view vault.decrypted_secrets as select * from vault.secrets;
create function vault.create_secret(secret text, name text) returns void language sql as
  'insert into vault.secrets (name, decrypted_secret) values ($2, $1)';
create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as
  'update vault.secrets set decrypted_secret = $2 where id = $1';
"""


def blocks(page: Path) -> list[re.Match[str]]:
    """The code blocks of a page, with the marker above each."""
    return list(_BLOCK.finditer(page.read_text(encoding="utf-8")))


def code(name: str) -> str:
    """The block of SQL with this name."""
    (found,) = [
        block["code"] for page in PAGES for block in blocks(page) if block["kind"] == "sql" and block["name"] == name
    ]
    return str(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links__lead_somewhere(page: Path) -> None:
    """Every relative link names a file or a folder of the repository."""
    named = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in named if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page__is_one_version(page: Path) -> None:
    """No marks of a merge stand between two versions of a paragraph."""
    assert re.findall(r"^(?:<{7}|>{7}|={7}$)", page.read_text(encoding="utf-8"), re.MULTILINE) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_code__is_executed_by_a_test(page: Path) -> None:
    """Every block of Python, JavaScript and SQL has a marker that a test looks for."""
    found = [
        (block["kind"], block["name"], block["language"]) for block in blocks(page) if block["language"] in _LANGUAGES
    ]
    assert [block for block in found if block[:2] not in EXECUTED or block[0] != _LANGUAGES[block[2]]] == []


def test_login__lets_the_functions_in(db: Clone) -> None:
    """The statement that enables the login of the functions is one the owner may run."""
    with db.as_owner() as owner:
        owner.execute(code("login").encode())
        row = owner.execute("select rolcanlogin from pg_roles where rolname = 'keepsake_api'").fetchone()
        assert row is not None
        assert row["rolcanlogin"]
        owner.rollback()


def test_remove__leaves_the_application_at_work_and_a_way_back(host_db: Clone, tmp_path: Path) -> None:
    """Chats in the tables that Keepsake made stay with their rows, can be written, and are adopted like any others."""
    db = host_db
    migrate(db.owner_url)
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(_WRITES)
    remove(db.owner_url, print)
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(_WRITES)
    assert "2 chats found, 2 readable" in adopted(db, tmp_path)
    assert db.value("select count(*) from keepsake_chats.conversations") == 2
    with psycopg.connect(db.owner_url) as owner:
        owner.execute("delete from auth.users")
    assert db.all("select from public.conversations") == db.all("select from keepsake_chats.conversations") == []


def test_doubted__are_the_memories_of_the_person_that_may_no_longer_hold(
    db: Clone, people: People, now: datetime
) -> None:
    """What a frontend is shown to ask lists what is doubted, and nothing that holds or is another's."""
    ada, ben = people.person("Ada"), people.person("Ben")
    doubted = people.memory(ada, "Lives in Bristol", doubted_at=now)
    people.memory(ada, "Likes tea")
    people.memory(ben, "Lives in Leeds", doubted_at=now)
    with db.as_person(ada.user_id) as person:
        rows = person.execute(code("doubted").encode()).fetchall()
    assert rows == [{"id": doubted, "memory_text": "Lives in Bristol"}]


def test_cron__schedules_the_jobs_with_the_secret_key(db: Clone) -> None:
    """The schedule can be created, and each of its commands runs and sends the key of the vault."""
    schedule = re.sub(r"create extension .*;\n", "", (ROOT / "supabase" / "cron.sql").read_text(encoding="utf-8"))
    with db.as_owner() as owner:
        owner.execute(_EXTENSIONS.encode())
        owner.execute(schedule.encode())
        jobs = owner.execute("select name, command from cron.job order by name").fetchall()
        assert [job["name"] for job in jobs] == [
            "keepsake-archive",
            "keepsake-days",
            "keepsake-due",
            "keepsake-months",
            "keepsake-weeks",
        ]
        for job in jobs:
            sent = owner.execute(job["command"].encode()).fetchone()
            assert sent is not None
            assert sent["http_post"] == {"apikey": "sb_secret_…"}
        owner.rollback()


def _commands() -> list[tuple[str, ...]]:
    lines = [
        line for page in PAGES for block in blocks(page) if not block["language"] for line in block["code"].splitlines()
    ]
    lines += [
        found for page in PAGES for found in re.findall(r"`(keepsake [^`\n]+)`", page.read_text(encoding="utf-8"))
    ]
    found = (re.search(r"(?:^|[ ;(])keepsake ([a-z]+\b[^#)]*)", line) for line in lines)
    return sorted({tuple(shlex.split(match[1])) for match in found if match})


@cache
def _help(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "keepsake.cli", command, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"there is no command `keepsake {command}`: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("words", _commands(), ids=" ".join)
def test_commands__exist_with_the_options_they_are_shown_with(words: tuple[str, ...]) -> None:
    """What the pages tell to type is known to the command line."""
    shown = _help(words[0])
    assert [word for word in words if word.startswith("--") and word.split("=")[0] not in shown] == []
