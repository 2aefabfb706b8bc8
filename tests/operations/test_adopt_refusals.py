"""``keepsake adopt`` asks before it adds people to Supabase Auth, and names what is in the way before it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import Conflict
from keepsake.infra.package_files import schema_files
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.known import Known
from tests.fixtures.db import Clone
from tests.operations.layouts import COMPANION
from tests.operations.test_adopt import ADA, BEN, PEOPLE, VERCEL, adopted, run
from tests.operations.test_remove import catalog


def test_people_of_another_sign_in__are_named_and_added_only_when_the_operator_says_so(
    host_db: Clone, tmp_path: Path
) -> None:
    run(host_db, "create table public.members (id uuid primary key, email text)")
    run(host_db, PEOPLE + VERCEL.replace("public.profiles (id)", "public.members (id)"))
    said: list[str] = []
    with pytest.raises(Conflict, match=r"refers to public\.members\.id.*sign in elsewhere") as refused:
        adopt(host_db.owner_url, Known(), tmp_path, said.append)
    assert "--people auth.users" in (refused.value.hint or "")
    assert "of another sign-in, in public.members" in "\n".join(said)
    assert list(tmp_path.iterdir()) == []


def test_people_whose_ids_are_all_in_auth_users__are_not_called_those_of_another_sign_in(
    host_db: Clone, tmp_path: Path
) -> None:
    """A table of people with the ids of their accounts and without the foreign key, until one is not there."""
    db = host_db
    run(db, PEOPLE.replace(" references auth.users (id) on delete cascade", "") + VERCEL)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    lines: list[str] = []
    with pytest.raises(Conflict, match=r"their ids are all in auth\.users") as refused:
        adopt(db.owner_url, Known(), tmp_path, lines.append)
    assert "keepsake adopt --people auth.users" in (refused.value.hint or "")
    assert "people  of public.profiles, without a foreign key to auth.users; their ids are all there" in "\n".join(
        lines
    )
    run(
        db, f"insert into public.profiles values ('{BEN}', 'Ben'); insert into public.chats (owner_id) values ('{BEN}')"
    )
    with pytest.raises(Conflict, match="sign in elsewhere"):
        adopt(db.owner_url, Known(), tmp_path, lines.append)


def test_people_with_the_ids_of_their_accounts__can_be_named(blank_db: Clone, tmp_path: Path) -> None:
    """Then nobody is added, also nobody who comes later, and their names are read from the application's table."""
    db = blank_db
    run(db, PEOPLE.replace(" references auth.users (id) on delete cascade", "") + VERCEL)
    run(db, f"insert into public.profiles values ('{BEN}', 'Ben')")
    with pytest.raises(Conflict, match="sign in elsewhere") as refused:
        adopt(db.owner_url, Known(), tmp_path, lambda _line: None)
    assert "keepsake adopt --column people.account=id" in (refused.value.hint or "")
    adopted(db, tmp_path, Known({"people.account": "id"}))
    run(db, f"insert into public.chats (owner_id) values ('{ADA}'), ('{BEN}')")
    assert db.all("select user_id from public.conversations") == [{"user_id": ADA}]
    assert db.all("select id from auth.users") == [{"id": ADA}]
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (ADA,))
    assert db.value("select name from public.user_profile_list") == "Ada"


def test_accounts_without_a_foreign_key__can_be_named(blank_db: Clone, tmp_path: Path) -> None:
    """A table of people whose column with the id in auth.users refers to nothing: the refusal names it as a way."""
    db = blank_db
    run(db, COMPANION.tables.replace("unique references auth.users (id) on delete cascade", "unique"))
    with pytest.raises(Conflict, match="sign in elsewhere") as refused:
        adopt(db.owner_url, Known(), tmp_path, lambda _line: None)
    assert "keepsake adopt --column people.account=auth_user_id" in (refused.value.hint or "")
    said = adopted(db, tmp_path, Known({"people.account": "auth_user_id"}))
    assert "people  public.users, by auth_user_id" in said
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (ADA,))
    run(db, COMPANION.new_chat)
    run(db, COMPANION.say.format(role="user", text="I live in Graz"))
    assert db.all("select user_id, content from keepsake_chats.messages") == [
        {"user_id": ADA, "content": "I live in Graz"}
    ]
    assert db.value("select name from keepsake_chats.user_profile_list") == "Ada"


OBSTACLES = {
    "create table public.user_memory (id int)": "public.user_memory already exists and is not Keepsake's",
    "create view public.user_memory_todos as select 1 as id": "public.user_memory_todos already exists",
    "create type public.memory_type as enum ('x')": "schema public already has a type memory_type",
    "create function public.forget_memory(text) returns int language sql as 'select 1'": "public.forget_memory already",
    "create function public.agree_to_memory() returns int language sql as 'select 1'": "public.agree_to_memory already",
    "create schema keepsake": "the schema keepsake already exists and is not Keepsake's",
    "create schema chat_copies": "copied already",
    "alter role supabase_owner nosuperuser nobypassrls": "role supabase_owner does not bypass row-level security",
    "alter table public.chats owner to postgres": 'has no right TRIGGER on "public"."chats"',
}
"""What an application may have that the migrations would fail at, and what is said of it."""


@pytest.mark.parametrize("made, said", OBSTACLES.items(), ids=OBSTACLES.values())
def test_obstacle__is_named_before_anything_is_written(blank_db: Clone, tmp_path: Path, made: str, said: str) -> None:
    run(blank_db, PEOPLE + VERCEL)
    before = catalog(blank_db)
    blank_db.run(made)
    try:
        with pytest.raises(Conflict) as refused:
            adopt(blank_db.owner_url, Known(), tmp_path, lambda _line: None)
    finally:
        if made.startswith("alter role"):
            blank_db.run("alter role supabase_owner bypassrls")
    assert said in refused.value.message
    assert list(tmp_path.iterdir()) == []
    assert set(before) <= set(catalog(blank_db))


def test_several_obstacles__are_told_in_one_list(blank_db: Clone, tmp_path: Path) -> None:
    run(blank_db, PEOPLE + VERCEL)
    blank_db.run("create schema keepsake; create table public.user_memory (id int)")
    with pytest.raises(Conflict) as refused:
        adopt(blank_db.owner_url, Known(), tmp_path, lambda _line: None)
    assert refused.value.message.count("\n  - ") == 2


def test_functions_that_stand_in_the_way__are_all_of_keepsakes(host_db: Clone, tmp_path: Path) -> None:
    """A new function in the exposed schema is added to the check; one that a person's row embeds takes that row."""
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    names = {
        row["proname"] for row in db.all("select proname from pg_proc where pronamespace = 'public'::regnamespace")
    }
    (check,) = (path for path in schema_files() if path.name == "host_checks.sql")
    assert {name for name in names if f"'{name}'" not in check.read_text()} == {"conversations"}


def test_index_with_a_name_of_keepsakes__keeps_it(blank_db: Clone, tmp_path: Path) -> None:
    """A table that was renamed keeps the names of its indexes; Keepsake's own tables then stay out of `public`."""
    db = blank_db
    run(db, PEOPLE + VERCEL + "create index messages_place on public.chats (id);")
    adopted(db, tmp_path)
    assert db.value(
        "select to_regclass('public.messages') is null and to_regclass('public.messages_place') is not null"
    )
