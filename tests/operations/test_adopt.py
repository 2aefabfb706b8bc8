"""``keepsake adopt`` recognizes an application's chats, and what it writes connects them once a person agreed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from keepsake.errors import Conflict
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.known import Known
from keepsake.operations.migrate import migrate, migrate_also
from tests.fixtures.db import Clone
from tests.migrations.supabase_cli import advisors, project

ADA = UUID("00000000-0000-4000-8000-00000000000a")
BEN = UUID("00000000-0000-4000-8000-00000000000b")
PEOPLE = f"""
insert into auth.users (id, email) values ('{ADA}', 'ada@example.com');
create table public.profiles (id uuid primary key references auth.users (id) on delete cascade,
  display_name text, tz text);
insert into public.profiles values ('{ADA}', 'Ada', 'Europe/Vienna');
"""
VERCEL = """
create table public.chats (id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade, title text not null default 'New');
create table public.lines (id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade, role text not null, parts jsonb not null,
  created_at timestamptz not null default now());
alter table public.lines enable row level security;
grant select, insert, update, delete on public.lines to service_role;
"""
OTHER_NAMES = """
create type public.writer as enum ('human', 'bot', 'note');
create table public.threads (id bigint generated always as identity primary key, account text not null,
  subject text);
create table public.posts (id text primary key,
  thread_id bigint not null references public.threads (id) on delete cascade, sender public.writer not null,
  body text, sent_at timestamp not null default now());
"""
CLASHING = """
create table public.conversations (id bigint generated always as identity primary key,
  user_id uuid references auth.users (id));
create table public.messages (id bigint generated always as identity primary key,
  conversation_id bigint not null
  references public.conversations (id) on delete cascade, role text, content text,
  created_at timestamptz default now());
"""
OWN_CONVERSATIONS = """
create table public.conversations (id uuid primary key default gen_random_uuid(), account_id uuid not null
  references auth.users (id) on delete cascade, subject text);
create table public.entries (id uuid primary key default gen_random_uuid(), conversation_id uuid not null
  references public.conversations (id) on delete cascade, role text, content jsonb,
  created_at timestamptz default now());
grant select, insert, update on public.conversations to service_role;
"""
ANOTHER = """
create table public.chat_log (id int primary key, chat_id uuid references public.chats, role text, content text,
  created_at timestamptz);
"""
COPIES = "select user_id, role, content from keepsake_chats.messages order by created_at, role desc"
PARTS = '[{"type": "step-start"}, {"type": "text", "text": "I live "}, {"type": "text", "text": "in Graz"}]'


def run(db: Clone, script: str) -> None:
    """As the owner, whose migrations the application's are."""
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(script.encode())


def adopted(db: Clone, folder: Path, known: Known | None = None) -> str:
    """Write the migration, which is one file, apply it after Keepsake's own, and return what was said."""
    said: list[str] = []
    adopt(db.owner_url, known or Known(), folder, said.append)
    (written,) = folder.iterdir()
    assert f"keepsake migrate --also {written}" in said[-1]
    migrate(db.owner_url)
    assert migrate_also(db.owner_url, written)
    return "\n".join(said)


def agree(db: Clone, since: str | None = None) -> None:
    """As Ada would, with her own token, through REST."""
    with db.as_person(ADA) as connection:
        connection.execute("select public.agree_to_memory(%s)", (since,))


def remembering(db: Clone) -> int:
    """How many conversations remember."""
    return len(db.all("select from public.conversations_participants where profile_id is not null"))


def test_messages_as_parts__are_read_in_their_own_table(host_db: Clone, tmp_path: Path) -> None:
    """Vercel's tables: the text of the parts is the content, and the owner of the chat is the author."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    say = f"insert into public.lines (chat_id, role, parts) select id, 'user', '{PARTS}'::jsonb from public.chats"
    run(db, say)
    said = adopted(db, tmp_path)
    assert "parts (jsonb)" in said
    run(db, say + " union all select id, 'tool', '{}'::jsonb from public.chats")
    rows = [tuple(row.values()) for row in db.all(COPIES)]
    assert rows == []
    assert remembering(db) == 0
    agree(db, "2020-01-01")
    rows = [tuple(row.values()) for row in db.all(COPIES)]
    assert rows == [(ADA, "user", "I live in Graz"), (ADA, "user", "I live in Graz")]
    run(db, f"insert into public.chats (owner_id, title) values ('{ADA}', 'Second')")
    assert remembering(db) == 2
    run(db, "update public.chats set title = 'Renamed' where title = 'Second'")
    assert "Renamed" in [row["title"] for row in db.all("select title from keepsake_chats.conversations")]
    profile = db.all("select name, timezone from public.user_profile_list")
    assert [tuple(row.values()) for row in profile] == [("Ada", "Europe/Vienna")]
    run(db, "delete from public.chats")
    assert db.all(COPIES) == []
    assert remembering(db) == 0


def test_other_names_and_ids__of_people_with_another_sign_in(host_db: Clone, tmp_path: Path) -> None:
    """Copies of who agreed, with ids that the backend can compute; notes are not copied."""
    db = host_db
    run(db, OTHER_NAMES)
    run(db, "insert into public.threads (account, subject) values ('auth0|ada', 'Hi'), ('auth0|ben', 'Ho')")
    run(db, "insert into public.posts (id, thread_id, sender, body) values ('p1', 1, 'human', 'I live in Graz')")
    known = Known({"chats.owner": "account"}, may_add_people=True)
    said = adopted(db, tmp_path, known)
    assert "note" in said.partition("not read")[2]
    assert db.all(COPIES) == []
    ada = UUID(hashlib.md5(b"people auth0|ada", usedforsecurity=False).hexdigest())
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s, '2020-01-01')", (ada,))
    write = "insert into public.posts (id, thread_id, sender, body) values"
    run(db, f"{write} ('p2', 1, 'bot', 'Noted'), ('p3', 1, 'note', 'x')")
    run(db, "insert into public.posts (id, thread_id, sender, body) values ('p4', 2, 'human', 'I am Ben')")
    run(db, "insert into public.threads (account) values ('auth0|new')")
    rows = db.all("select id, role, content from keepsake_chats.messages order by created_at, role desc")
    assert [tuple(row.values()) for row in rows] == [
        (UUID(hashlib.md5(b"messages p1", usedforsecurity=False).hexdigest()), "user", "I live in Graz"),
        (UUID(hashlib.md5(b"messages p2", usedforsecurity=False).hexdigest()), "assistant", "Noted"),
    ]
    run(db, "update public.posts set body = 'I live in Linz' where id = 'p1'")
    run(db, "delete from public.posts where id = 'p2'")
    assert [row["content"] for row in db.all(COPIES)] == ["I live in Linz"]
    assert len(db.all("select from keepsake_chats.conversations")) == 3


def test_others_in_a_chat__are_not_taken_for_its_owner(host_db: Clone, tmp_path: Path) -> None:
    """Where messages name their author, copies are made of the owner's only."""
    db = host_db
    run(db, PEOPLE + VERCEL.replace("role text not null", "written_by uuid references profiles, role text not null"))
    run(db, f"insert into auth.users (id) values ('{BEN}'); insert into public.profiles values ('{BEN}', 'Ben', null)")
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    adopted(db, tmp_path)
    agree(db, "2020-01-01")
    for author, text in ((ADA, "I live in Graz"), (BEN, "I live in Linz")):
        values = f"select id, '{author}', 'user', '\"{text}\"' from public.chats"
        run(db, f"insert into public.lines (chat_id, written_by, role, parts) {values}")
    found = {row["content"]: row["user_id"] for row in db.all(COPIES)}
    assert found == {"I live in Graz": ADA}


def test_own_conversations__keep_their_rows(host_db: Clone, tmp_path: Path) -> None:
    """A table `conversations` with another owner's column stays as it is."""
    db = host_db
    run(db, PEOPLE + OWN_CONVERSATIONS)
    adopted(db, tmp_path)
    agree(db)
    run(db, f"insert into public.conversations (account_id) values ('{ADA}')")
    values = "select id, 'user', '\"Hello\"'::jsonb from public.conversations"
    run(db, f"insert into public.entries (conversation_id, role, content) {values}")
    assert [tuple(row.values()) for row in db.all(COPIES)] == [(ADA, "user", "Hello")]


def test_nobody__agrees_for_somebody_else(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    with db.as_person(ADA) as person, pytest.raises(psycopg.errors.InsufficientPrivilege):
        person.execute("select public.agree_to_memory_for(%s)", (ADA,))
    with db.as_person(ADA) as person, pytest.raises(psycopg.errors.InsufficientPrivilege):
        person.execute("select chat_copies.agree(%s, null)", (ADA,))
    with db.as_anon() as anon, pytest.raises(psycopg.errors.InsufficientPrivilege):
        anon.execute("select public.agree_to_memory()")


def test_removed__the_application_writes_as_before(host_db: Clone, tmp_path: Path) -> None:
    """Dropping the schema takes triggers and the computed text back."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    run(db, "drop schema chat_copies cascade")
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    assert db.all("select tgname from pg_trigger where tgrelid = 'public.chats'::regclass and not tgisinternal") == []
    assert db.value("select to_regprocedure('public.agree_to_memory(timestamptz)') is null")


def test_names_that_keepsake_uses__stay_the_applications(host_db: Clone, tmp_path: Path) -> None:
    """Bigint ids under Keepsake's own names: the copies stand beside them, and no column is added to them."""
    db = host_db
    run(db, PEOPLE + CLASHING)
    columns = "select attrelid::regclass::text, attname from pg_attribute where attnum > 0 and attrelid in"
    own = f"{columns} ('public.messages'::regclass, 'public.conversations'::regclass) order by 1, attnum"
    before = db.all(own)
    adopted(db, tmp_path)
    agree(db)
    run(db, f"insert into public.conversations (user_id) values ('{ADA}')")
    run(db, "insert into public.messages (conversation_id, role, content) values (1, 'user', 'Hello')")
    assert [tuple(row.values()) for row in db.all(COPIES)] == [(ADA, "user", "Hello")]
    assert db.all(own) == before
    run(db, "delete from public.conversations")
    assert db.all(COPIES) == []


def test_without_a_folder__nothing_is_written_and_twice_is_refused(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    said: list[str] = []
    adopt(db.owner_url, Known(), None, said.append)
    assert "Nothing is written yet" in "\n".join(said)
    adopt(db.owner_url, Known(), tmp_path, said.append)
    with pytest.raises(Conflict, match="there already"):
        adopt(db.owner_url, Known(), tmp_path, said.append)


@pytest.mark.parametrize(
    "tables, known, hint",
    [
        ("create table public.notes (id uuid primary key)", Known(), "--messages TABLE"),
        (PEOPLE + VERCEL, Known({"chats.owner": "nobody"}), "--messages TABLE"),
        (OTHER_NAMES + "insert into public.threads (account) values ('a')", Known(), "--messages TABLE"),
        (PEOPLE + VERCEL + ANOTHER, Known(), "--messages lines --chats chats"),
    ],
)  # fmt: skip
def test_unknown__says_how_to_name_it(host_db: Clone, tables: str, known: Known, hint: str) -> None:
    run(host_db, tables)
    with pytest.raises(Conflict) as refused:
        adopt(host_db.owner_url, known, None, print)
    assert hint in (refused.value.hint or "")


def test_unusual_words__are_named_by_the_operator(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    run(db, "insert into public.lines (chat_id, role, parts) select id, 'visitor', '\"Hello\"' from public.chats")
    with pytest.raises(Conflict, match="visitor") as refused:
        adopt(db.owner_url, Known(), tmp_path, print)
    assert "--user-word" in (refused.value.hint or "")
    adopted(db, tmp_path, Known(user_words=["visitor"], assistant_words=["host"]))
    agree(db, "2020-01-01")
    assert [tuple(row.values()) for row in db.all(COPIES)] == [(ADA, "user", "Hello")]


def test_advisors__find_nothing_in_what_was_written(db: Clone, tmp_path: Path) -> None:
    """Supabase's own, by the real CLI, on what comes after Keepsake's migrations."""
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    found = [issue["detail"] for issue in advisors(project(tmp_path / "cli"), db.owner_url)]
    assert found
    assert [detail for detail in found if "agree_to_memory" in detail or "chat_copies" in detail] == []
