"""``keepsake adopt`` chooses among tables that look alike, and every dead end says how to go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import Conflict
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.host_tables import HostColumn
from keepsake.operations.adoption.known import Known
from keepsake.operations.adoption.likeliest_tables import likeliest
from keepsake.operations.adoption.migration_tools import AuthSchema, describe_filters
from tests.fixtures.db import Clone
from tests.operations.layouts import BEN, CHATBOT_UI, NUMBERS_ELSEWHERE
from tests.operations.test_adopt import ADA, PEOPLE, VERCEL, run

OLDER = """
create table public.lines_v2 (id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade, role text not null, parts jsonb not null,
  created_at timestamptz not null default now());
"""
ASSISTANTS = """
create table public.assistants (id uuid primary key, user_id uuid not null references public.profiles (id), name text);
alter table public.lines add column assistant_id uuid references public.assistants (id);
"""
SUBSCRIPTIONS = """
create table public.plans (user_id uuid primary key references auth.users (id), name text);
create table public.settings (id uuid primary key, user_id uuid not null unique references auth.users (id), theme text);
"""
TOPICS = """
create table public.topics (id text primary key, user_id uuid not null references public.profiles (id), title text);
create table public.sessions (id text primary key, user_id uuid not null references public.profiles (id));
alter table public.lines add column topic_id text references public.topics (id),
  add column session_id text references public.sessions (id), add column parent_id text references public.sessions (id);
"""
JSON_CHATS = """
create table public.chats (id text primary key, user_id uuid references auth.users (id), payload jsonb);
"""
VERSIONS = [("Message", "public.Chat.id"), ("Message_v2", "public.Chat.id")]


def said(db: Clone, *, folder: Path | None = None) -> str:
    """What the command says."""
    lines: list[str] = []
    adopt(db.owner_url, Known(), folder, lines.append)
    return "\n".join(lines)


def column(table: str, refers_to: str) -> HostColumn:
    """The column that names the chat of a message."""
    return HostColumn(table, "chat_id", "uuid", refers_to=refers_to)


@pytest.mark.parametrize(
    "columns, filled, names",
    [
        (VERSIONS, {"Message", "Message_v2"}, ["Message_v2"]),
        (VERSIONS, {"Message"}, ["Message"]),
        (VERSIONS, set(), ["Message_v2"]),
        ([("messages", "public.assistants.id"), ("messages", "public.chats.id")], set(), ["messages"]),
        ([("posts", "public.topics.id"), ("messages", "public.chats.id")], set(), ["messages"]),
        ([("lines", "public.chats.id"), ("chat_log", "public.chats.id")], set(), ["lines", "chat_log"]),
        ([("posts", "public.rooms.id")], set(), ["posts"]),
        ([], set(), []),
    ],
)
def test_likeliest__is_of_chats_and_the_newest_with_rows(
    columns: list[tuple[str, str]], filled: set[str], names: list[str]
) -> None:
    """Where names do not decide, all are left, and the operator is asked."""
    chosen = likeliest([column(*one) for one in columns], filled)
    assert [one.table_name for one in chosen] == names
    assert all("assistants" not in (one.refers_to or "") for one in chosen)


def test_newer_version_with_rows__wins(host_db: Clone) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL + OLDER)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    run(db, "insert into public.lines (chat_id, role, parts) select id, 'user', '[]' from public.chats")
    assert "messages  public.lines, in" in said(db)
    run(db, "insert into public.lines_v2 (chat_id, role, parts) select id, 'user', '[]' from public.chats")
    assert "messages  public.lines_v2, in" in said(db)


def test_chats__win_over_other_parents_of_a_message(host_db: Clone) -> None:
    run(host_db, PEOPLE + VERCEL + ASSISTANTS)
    assert "chats  public.chats, of owner_id" in said(host_db)


def test_people__are_in_the_table_with_the_best_name_of_those_with_a_row_for_each(host_db: Clone) -> None:
    """The account need not be its key; a name that is named is as good."""
    run(host_db, CHATBOT_UI.tables + SUBSCRIPTIONS)
    heard = said(host_db)
    assert "people  public.profiles, by user_id" in heard
    assert "name, time zone  display_name, -" in heard
    lines: list[str] = []
    adopt(host_db.owner_url, Known({"people.name": "theme"}), None, lines.append)
    assert "people  public.settings, by user_id" in "\n".join(lines)


def test_undecided__is_answered_with_whole_commands(host_db: Clone) -> None:
    run(host_db, PEOPLE + VERCEL + OLDER.replace("lines_v2", "chat_log"))
    with pytest.raises(Conflict, match="Several tables") as refused:
        said(host_db)
    assert "keepsake adopt --messages chat_log --chats chats\n" in (refused.value.hint or "")
    assert "keepsake adopt --messages lines --chats chats" in (refused.value.hint or "")


def test_undecided__names_every_table_that_a_message_is_in(host_db: Clone) -> None:
    """Also one whose name is not usual for chats, as topics, after the others; of two columns to one table, which."""
    run(host_db, PEOPLE + VERCEL + TOPICS)
    with pytest.raises(Conflict, match=r"lines \(in chats\), lines \(in sessions\), lines \(in topics\)") as refused:
        said(host_db)
    commands = (refused.value.hint or "").splitlines()[1:]
    tables = [(command.partition("--chats ")[2], command.partition("=")[2]) for command in commands]
    assert tables == [
        ("chats", ""),
        ("sessions --column messages.chat=session_id", "session_id"),
        ("sessions --column messages.chat=parent_id", "parent_id"),
        ("topics", ""),
    ]
    lines: list[str] = []
    names = {"messages": "lines", "chats": "sessions", "messages.chat": "parent_id"}
    adopt(host_db.owner_url, Known(names), None, lines.append)
    adopt(host_db.owner_url, Known({"messages": "lines", "chats": "topics"}), None, lines.append)
    assert "messages  public.lines, in parent_id" in "\n".join(lines)
    assert "messages  public.lines, in topic_id" in "\n".join(lines)


@pytest.mark.parametrize(
    "known, way",
    [
        (Known({"chats": "chats", "messages": "nothing"}), "--chats chats --messages TABLE"),
        (
            Known({"people": "profiles"}, assistant_words=["host"]),
            "--people profiles --user-word WORD --assistant-word",
        ),
        (Known({"messages": "lines", "chats": "chats", "messages.chat": "no one"}), "messages.chat=NAME --to"),
    ],
)
def test_dead_end__repeats_what_was_said(host_db: Clone, tmp_path: Path, known: Known, way: str) -> None:
    """The whole command, with the folder: what is left to say is one word in it."""
    db = host_db
    run(db, PEOPLE + VERCEL + f"insert into public.chats (owner_id) values ('{ADA}');")
    run(db, "insert into public.lines (chat_id, role, parts) select id, 'visitor', '[]' from public.chats")
    folder = tmp_path / "my app"
    folder.mkdir()
    with pytest.raises(Conflict) as refused:
        adopt(db.owner_url, known, folder, print)
    command = (refused.value.hint or "").splitlines()[-1]
    assert command.startswith("  keepsake adopt ")
    assert way in command
    assert command.endswith(f"--to '{folder}'")
    assert list(folder.iterdir()) == []


def test_no_chats__are_told_to_use_keepsakes_own(host_db: Clone) -> None:
    run(host_db, "create table public.documents (id uuid primary key, body text)")
    with pytest.raises(Conflict) as refused:
        said(host_db)
    assert "Without chats of your own run `keepsake migrate`" in (refused.value.hint or "")


def test_messages_in_the_row_of_the_chat__are_recognized(host_db: Clone) -> None:
    """Several such columns are told with a whole command for each."""
    run(host_db, JSON_CHATS)
    assert "messages  JSON in public.chats.payload" in said(host_db)
    run(host_db, "alter table public.chats add column history json")
    with pytest.raises(Conflict, match="Several columns") as refused:
        said(host_db)
    assert "keepsake adopt --chats chats --column chats.messages=payload" in (refused.value.hint or "")


def test_drizzle_and_prisma__are_given_their_filter(tmp_path: Path) -> None:
    folder = tmp_path / "supabase" / "migrations"
    folder.mkdir(parents=True)
    assert list(describe_filters(folder)) == []
    (tmp_path / "drizzle.config.ts").write_text("export default {}")
    (tmp_path / "prisma").mkdir()
    (tmp_path / "prisma" / "schema.prisma").write_text("")
    drizzle, prisma = describe_filters(folder)
    assert 'tablesFilter: ["*", "!user_memory*"' in drizzle
    assert '"!conversations", "!messages", "!conversation_summaries"]' in drizzle
    assert 'pgEnum("memory_type", ["fact", "emotion",' in drizzle
    assert '  schemas = ["public", "auth"]' in prisma
    assert '@@schema("public")' in prisma
    assert '"public.user_memory", ' in prisma
    assert '"public.conversation_summaries", "auth.users"] }' in prisma
    assert 'enums: { external: ["public.memory_type"] }' in prisma
    taken, auth = {"messages", "user_profile_list"}, AuthSchema(["auth.users", "auth.sessions"], ["auth.aal_level"])
    drizzle, prisma = describe_filters(folder, taken, auth)
    assert '  schemas = ["public", "auth", "keepsake_chats"]' in prisma
    assert '"keepsake_chats.user_profile_list", "keepsake_chats.conversations", "keepsake_chats.messages"' in prisma
    assert '"auth.sessions"] }' in prisma
    assert '"public.memory_type", "auth.aal_level"' in prisma
    assert 'tablesFilter: ["*", "!user_memory*", "!conversations_participants"]' in drizzle


def test_counts__are_said_before_anything_is_written(host_db: Clone, tmp_path: Path) -> None:
    """Also what of it cannot be read."""
    db = host_db
    run(db, PEOPLE + VERCEL.replace("owner_id uuid not null", "owner_id uuid"))
    run(db, f"insert into public.chats (owner_id) values ('{ADA}'), ('{ADA}'), (null)")
    assert "3 chats found, 2 readable, 1 skipped: 1 because of no owner" in said(db, folder=tmp_path)


def asked(db: Clone, known: Known) -> str:
    """What is asked, with the command that answers it."""
    with pytest.raises(Conflict) as refused:
        adopt(db.owner_url, known, None, lambda _line: None)
    return f"{refused.value.message}\n{refused.value.hint}"


def test_names_that_nobody_knows__are_asked_for_one_by_one(blank_db: Clone) -> None:
    """In a schema of its own, with numbers for roles and a status for what is deleted: nothing of it is guessed."""
    db = blank_db
    run(db, NUMBERS_ELSEWHERE.tables)
    run(db, f"{NUMBERS_ELSEWHERE.new_chat}, ('{BEN}'); update garden.talks set state = 2 where id = 2")
    for role in range(2):
        run(db, NUMBERS_ELSEWHERE.say.format(role=role, text="Hello"))
    names = dict(NUMBERS_ELSEWHERE.known.names)
    del names["chats.deleted"], names["messages.deleted"]
    first = asked(db, Known())
    assert "garden.lines may have them" in first
    assert "--column messages.role=voice --column messages.text=words --column messages.time=NAME" in first
    assert "Which of the words 0, 1 stands for a person?" in asked(db, Known(names))
    assert "Which of the words 0 stands for an answer?" in asked(db, Known(names, ["1"]))
    by_value = asked(db, Known(names | {"chats.deleted": "state"}, ["1"], ["0"]))
    assert "--column chats.deleted=state=VALUE,VALUE" in by_value
    lines: list[str] = []
    adopt(db.owner_url, Known(names, ["1"], ["0"]), None, lines.append)
    assert "A policy of garden.talks asks for state" in "\n".join(lines)
    assert "A policy of garden.lines asks for struck" in "\n".join(lines)
    adopt(db.owner_url, NUMBERS_ELSEWHERE.known, None, lines.append)
    assert "garden.talks.state = 2 or 3 and garden.lines.struck, treated as a delete" in "\n".join(lines)
    assert "2 chats found, 1 readable, 1 skipped: 1 because of marked as deleted" in "\n".join(lines)


def test_keys_of_several_columns__are_named_and_not_guessed(blank_db: Clone) -> None:
    run(
        blank_db,
        "create schema desk; create table desk.chat (org text, id int, owner text, primary key (org, id));"
        "create table desk.turn (org text, id int, chat int, role text, content text, created_at timestamptz,"
        " primary key (org, id), foreign key (org, chat) references desk.chat (org, id))",
    )
    assert "Keys of several columns are not followed (desk.turn)" in asked(blank_db, Known())


def test_two_authors__are_asked_for(blank_db: Clone) -> None:
    """Who deleted a message, or edited it, is not who wrote it."""
    run(
        blank_db,
        PEOPLE + VERCEL + "alter table public.lines add written_by uuid references public.profiles,"
        " add edited_by uuid references public.profiles",
    )
    said = asked(blank_db, Known())
    assert "Is the author of a message in written_by or edited_by of public.lines?" in said
    assert "--column messages.author=written_by" in said


def test_role_of_a_type_that_is_no_word__is_not_taken_for_one(blank_db: Clone) -> None:
    """A column `sender` with the id of a person says nothing of the assistant."""
    run(blank_db, PEOPLE + VERCEL.replace("role text not null", "sender uuid references public.profiles"))
    assert "--column messages.role=NAME" in asked(blank_db, Known())
