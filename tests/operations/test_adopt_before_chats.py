"""People who agree before their first chat, tables that are truncated, parts of messages, and misspelled names."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import Conflict
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.known import Known
from keepsake.operations.adoption.recognize import divide_words
from tests.fixtures.db import Clone
from tests.operations.test_adopt import ADA, BEN, PEOPLE, VERCEL, adopted, agree, run
from tests.operations.test_adopt_copies import NEXT_AUTH, TEXTS, column


def test_person_of_another_sign_in__agrees_before_the_first_chat(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, NEXT_AUTH)
    adopted(db, tmp_path, Known(may_add_people=True))
    run(db, f"insert into next_auth.users values ('{BEN}', 'Ben')")
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (BEN,))
    run(db, f"insert into public.chats (\"userId\") values ('{BEN}')")
    run(db, "insert into public.lines (\"chatId\", role, parts) select id, 'user', '[\"Hello\"]' from public.chats")
    assert column(db, TEXTS) == ["Hello"]


def test_parts_of_a_message__are_lines_unless_one_goes_on(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    parts = '[{"type": "text", "text": "%s"}, {"type": "file"}, {"type": "text", "text": "%s"}]'
    for one, other, text in (
        ("I have a cat", "My brother lives in Oslo", "I have a cat\nMy brother lives in Oslo"),
        ("I live ", "in Graz", "I live in Graz"),
        ("Hello", "", "Hello"),
    ):
        assert db.value("select chat_copies.text_of(%s::jsonb)", (parts % (one, other),)) == text


@pytest.mark.parametrize("table, left", [("lines", 1), ("chats", 0)])
def test_truncate__takes_the_copies_along(host_db: Clone, tmp_path: Path, table: str, left: int) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    adopted(db, tmp_path)
    agree(db)
    run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
    run(db, "insert into public.lines (chat_id, role, parts) select id, 'user', '\"Hello\"' from public.chats")
    assert column(db, TEXTS) == ["Hello"]
    run(db, f"truncate public.{table} cascade")
    assert column(db, TEXTS) == []
    assert len(db.all("select from public.conversations")) == left


@pytest.mark.parametrize(
    "named, why",
    [
        ({"chats.title": "headlin"}, r"public\.chats has no column headlin"),
        ({"people.name": "nick"}, r"public\.profiles has no column nick"),
        ({"messages": "lines", "messages.role": "sendr"}, r"public\.lines has no column sendr"),
        ({"chats": "chats", "chats.owner": "ownr"}, r"public\.chats has no column ownr"),
    ],
)
def test_misspelled_column__is_refused_by_its_name(
    host_db: Clone, tmp_path: Path, named: dict[str, str], why: str
) -> None:
    run(host_db, PEOPLE + VERCEL)
    with pytest.raises(Conflict, match=why):
        adopt(host_db.owner_url, Known(named), tmp_path, lambda _line: None)
    assert list(tmp_path.iterdir()) == []


def test_word_that_comes_later__counts_beside_those_that_are_there() -> None:
    assert divide_words(["human", "bot"], people=["guest"]).people == ["human", "guest"]
