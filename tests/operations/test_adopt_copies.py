"""The copies that ``keepsake adopt`` sets up follow the application's tables, and never stand in its way."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from keepsake.errors import Conflict
from keepsake.infra.resources import Resources
from keepsake.operations.adoption.known import Known
from keepsake.operations.check_use import check_use
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.db import Clone
from tests.operations.test_adopt import ADA, BEN, CLASHING, PEOPLE, VERCEL, adopted, agree, run

SOFT = VERCEL.replace("title text", "deleted boolean, title text").replace(
    "role text", "deleted_at timestamptz, role text"
)
NEXT_AUTH = """
create schema next_auth;
create table next_auth.users (id uuid primary key, name text);
create table public.chats (id uuid primary key default gen_random_uuid(),
  "userId" uuid not null references next_auth.users (id) on delete cascade, title text not null default 'New');
create table public.lines (id uuid primary key default gen_random_uuid(),
  "chatId" uuid not null references public.chats (id) on delete cascade, role text not null, parts json not null,
  "createdAt" timestamp not null default now());
"""
CHATS = "select title from public.conversations order by title"
TEXTS = "select content from public.messages order by created_at, content"


def column(db: Clone, query: str) -> list[Any]:
    """The values of a query of one column."""
    return [next(iter(row.values())) for row in db.all(query)]


def say(db: Clone, text: str) -> None:
    """Save a message in each chat."""
    run(db, f"insert into public.lines (chat_id, role, parts) select id, 'user', '\"{text}\"' from public.chats")


def test_soft_deletes__are_treated_as_deletes(host_db: Clone, tmp_path: Path) -> None:
    """What was marked before is never read; what is marked later goes; what is unmarked comes back."""
    db = host_db
    run(db, PEOPLE + SOFT)
    run(
        db,
        f"insert into public.chats (owner_id, title, deleted) values ('{ADA}', 'Gone', true), ('{ADA}', 'Kept', null)",
    )
    say(db, "I have a secret girlfriend")
    run(
        db,
        "update public.lines set deleted_at = now() where chat_id = (select id from public.chats where title = 'Kept')",
    )
    said = adopted(db, tmp_path)
    assert "chats.deleted and lines.deleted_at, treated as a delete" in said
    assert "2 chats found, 1 readable, 1 skipped: 1 because of marked as deleted" in said
    agree(db, "2020-01-01")
    assert column(db, CHATS) == ["Kept"]
    assert column(db, TEXTS) == []
    say(db, "I live in Graz")
    assert column(db, TEXTS) == ["I live in Graz"]
    run(db, "update public.lines set deleted_at = now() where parts::text like '%Graz%'")
    assert column(db, TEXTS) == []
    run(db, "update public.lines set deleted_at = null where parts::text like '%Graz%'")
    assert column(db, TEXTS) == ["I live in Graz"]
    run(db, "update public.chats set deleted = true")
    assert column(db, CHATS) == column(db, TEXTS) == []
    run(db, "update public.chats set deleted = false where title = 'Kept'")
    assert column(db, CHATS) == ["Kept"]


def test_people_of_another_sign_in_with_uuids__get_accounts_and_lose_them(host_db: Clone, tmp_path: Path) -> None:
    """Auth.js with its own schema: accounts with the same ids, for old people and new ones, gone when they are."""
    db = host_db
    run(db, NEXT_AUTH)
    run(
        db,
        f"insert into next_auth.users values ('{ADA}', 'Ada'); insert into public.chats (\"userId\") values ('{ADA}')",
    )
    said = adopted(db, tmp_path, Known(may_add_people=True))
    assert "of another sign-in, in next_auth.users" in said
    assert "1 chats found, 1 readable, 0 skipped" in said
    run(
        db,
        f"insert into next_auth.users values ('{BEN}', 'Ben'); insert into public.chats (\"userId\") values ('{BEN}')",
    )
    assert {row["id"] for row in db.all("select id from auth.users")} == {ADA, BEN}
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (BEN,))
    run(db, "insert into public.lines (\"chatId\", role, parts) select id, 'user', '[\"Hello\"]' from public.chats")
    assert column(db, TEXTS) == ["Hello"]
    run(db, f"delete from next_auth.users where id = '{BEN}'")
    assert {row["id"] for row in db.all("select id from auth.users")} == {ADA}
    assert column(db, TEXTS) == []
    assert db.all("select from public.user_profile_list") == []


def test_account_of_supabase_auth__is_never_deleted_with_a_row_of_the_application(
    host_db: Clone, tmp_path: Path
) -> None:
    """An account that was there before is not one that the migration made."""
    db = host_db
    run(db, NEXT_AUTH + f"insert into auth.users (id) values ('{ADA}'); insert into next_auth.users values ('{ADA}')")
    run(db, f"insert into public.chats (\"userId\") values ('{ADA}')")
    adopted(db, tmp_path, Known(may_add_people=True))
    run(db, "delete from next_auth.users")
    assert column(db, "select id from auth.users") == [ADA]


def test_error_in_a_trigger__lets_the_application_write_and_is_counted(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    run(db, f"insert into public.chats (owner_id, title) values ('{ADA}', 'First')")
    agree(db)
    run(db, "alter table public.conversations add constraint broken check (title <> 'Second') not valid")
    run(db, "alter table public.messages add constraint broken check (content not like '%Linz%') not valid")
    run(db, "create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$")
    run(db, f"insert into public.chats (owner_id, title) values ('{ADA}', 'Second')")
    say(db, "I live in Linz")
    assert column(db, "select count(*) from public.lines") == [2]
    failures = db.all("select kind, error from chat_copies.failures order by kind")
    assert [tuple(row.values()) for row in failures] == [("chat", "23514"), ("message", "23514")]
    run(db, "create trigger refuse before delete on public.conversations for each row execute function public.refuse()")
    run(db, "delete from public.chats where title = 'First'")
    assert column(db, "select title from public.chats") == ["Second"]
    findings = [finding.line() for finding in check_use(db.owner_url)]
    assert any("3 rows of the application could not be copied" in line for line in findings)


@pytest.mark.parametrize("statement", ["update public.lines set (id, chat_id, role, parts, created_at) = ({})"])
def test_whole_row__is_written_back_as_an_orm_does(host_db: Clone, tmp_path: Path, statement: str) -> None:
    """Read with every column, written with every column."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    agree(db)
    say(db, "I live in Graz")
    row = db.one("select id, chat_id, role, parts::text, created_at from public.lines")
    db.run(statement.format("%s, %s, %s, %s::jsonb, %s"), tuple(row.values()))
    assert set(db.one("select * from public.lines")) == {"id", "chat_id", "role", "parts", "created_at"}
    assert column(db, TEXTS) == ["I live in Graz"]


async def test_run_due_jobs__copies_again_what_could_not_be_copied(
    resources: Resources, db: Clone, tmp_path: Path
) -> None:
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    run(db, "alter table public.conversations add constraint broken check (title <> 'Second') not valid")
    run(db, f"insert into public.chats (owner_id, title) values ('{ADA}', 'First'), ('{ADA}', 'Second')")
    await run_due_jobs(resources, max_seconds=0)
    assert column(db, CHATS) == ["First"]
    assert column(db, "select attempts from chat_copies.failures") == [2]
    run(db, "alter table public.conversations drop constraint broken")
    await run_due_jobs(resources, max_seconds=0)
    assert column(db, CHATS) == ["First", "Second"]
    assert db.all("select from chat_copies.failures") == []


def test_function_that_copies__is_nobody_elses(unmigrated_db: Clone, tmp_path: Path) -> None:
    """A person cannot call what runs with the owner's rights."""
    db = unmigrated_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    functions = db.all(
        "select p.oid::regprocedure::text as name from pg_proc as p where p.pronamespace = 'chat_copies'::regnamespace"
        " and p.prosecdef and (has_function_privilege('anon', p.oid, 'execute')"
        " or has_function_privilege('authenticated', p.oid, 'execute')) and p.prorettype <> 'trigger'::regtype"
    )
    assert [row["name"] for row in functions] == ["chat_copies.agree(uuid,timestamp with time zone)"]


def test_agreement__holds_for_every_chat_also_one_that_is_not_saved(host_db: Clone, tmp_path: Path) -> None:
    """What `inject-memory` asks for before an application saves the first message."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    agree(db)
    agree(db)
    assert column(db, "select every_chat from public.user_memory_settings") == [True]


def test_copies__are_read_by_those_who_take_part_and_nobody_else(unmigrated_db: Clone, tmp_path: Path) -> None:
    """Where the names in `public` are the application's: under the policies of the tables, also by who joins later."""
    db = unmigrated_db
    run(db, PEOPLE + CLASHING + f"insert into auth.users (id) values ('{BEN}');")
    adopted(db, tmp_path)
    agree(db)
    run(db, f"insert into public.conversations (user_id) values ('{ADA}')")
    run(db, "insert into public.messages (conversation_id, role, content) select id, 'user', 'Hi' from conversations")
    tables = ("conversations", "messages")

    def read(person: UUID) -> list[int]:
        with db.as_person(person) as connection:
            return [
                len(connection.execute(f"select from keepsake_chats.{name}".encode()).fetchall()) for name in tables
            ]

    assert read(ADA) == [1, 1]
    assert read(BEN) == [0, 0]
    for name in tables:
        with db.as_anon() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"select from keepsake_chats.{name}".encode())
    join = "insert into keepsake_chats.conversations_participants (conversation_id, user_id)"
    db.run(f"{join} select id, %s from keepsake_chats.conversations", (BEN,))
    assert read(BEN) == [1, 1]


def _write_meta(db: Clone) -> list[Any]:
    """What `record-injection` does, and what the application's own column then has."""
    with db.as_service() as service:
        service.execute(
            "update keepsake_chats.messages set meta = meta || '{\"memory_ids\": [1]}' where user_id is null"
        )
    return column(db, "select meta from public.lines where role = 'assistant'")


@pytest.mark.parametrize("more", ["", "create table public.messages (id int);"], ids=["names free", "names taken"])
def test_meta__is_written_into_the_applications_column_only_if_it_said_so(
    blank_db: Clone, tmp_path: Path, more: str
) -> None:
    """Beside what the application has in it; and an error there stops nothing of Keepsake's."""
    db = blank_db
    run(db, PEOPLE + VERCEL + more + "alter table public.lines add column meta jsonb default '{\"own\": 1}';")
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    adopted(db, tmp_path)
    agree(db)
    answer = "insert into public.lines (chat_id, role, parts) select id, 'assistant', '[]' from public.chats"
    run(db, answer)
    assert _write_meta(db) == [{"own": 1}]
    run(db, "drop schema chat_copies cascade")
    (file,) = tmp_path.iterdir()
    file.unlink()
    adopted(db, tmp_path, Known(writes_meta=True))
    assert _write_meta(db) == [{"own": 1, "memory_ids": [1]}]
    run(db, "alter table public.lines drop column meta")
    with db.as_service() as service:
        service.execute("update keepsake_chats.messages set meta = '{}'")


@pytest.mark.parametrize(
    "changed", ["", "alter table public.lines add column meta text"], ids=["no such column", "another type"]
)
def test_meta__is_refused_where_the_application_has_none(blank_db: Clone, tmp_path: Path, changed: str) -> None:
    run(blank_db, PEOPLE + VERCEL + changed)
    with pytest.raises(Conflict, match=r"needs a column meta of the type jsonb.*public\.lines"):
        adopted(blank_db, tmp_path, Known(writes_meta=True))
    assert list(tmp_path.iterdir()) == []
