"""Copies of messages that are JSON in the chat's row follow the list: what is new, changed, moved or gone."""

from __future__ import annotations

import json
from pathlib import Path

from keepsake.operations.adoption.known import Known
from tests.fixtures.db import Clone
from tests.operations.test_adopt import ADA, BEN, adopted, agree, run

CHATS = f"""
insert into auth.users (id) values ('{ADA}'), ('{BEN}');
create table public.chats (id text primary key, user_id uuid references auth.users (id) on delete cascade,
  history json not null default '[]', created_at timestamp not null default now());
"""


def elements(*texts: str, **keys: str) -> list[dict[str, str]]:
    """Messages of the person, or of the assistant where the text begins with >."""
    return [{"role": "assistant" if text.startswith(">") else "user", "content": text, **keys} for text in texts]


def save(db: Clone, history: object, chat: str = "1", owner: object = ADA) -> None:
    """Write the whole row back, as such applications do."""
    db.run(
        "insert into public.chats (id, user_id, history) values (%s, %s, %s)"
        " on conflict (id) do update set history = excluded.history",
        (chat, owner, json.dumps(history)),
    )


def texts(db: Clone) -> list[str]:
    """The copies, in the order in which they were said."""
    return [row["content"] for row in db.all("select content from public.messages order by created_at, content")]


def test_list_without_ids__is_followed_by_place(host_db: Clone, tmp_path: Path) -> None:
    """What stood there before the person agreed is never copied, however it moves; repeats are."""
    db = host_db
    run(db, CHATS)
    save(db, old := elements("Before", ">Noted", "Ok"))
    adopted(db, tmp_path)
    agree(db)
    save(db, old := old + elements("Ok", ">Fine"))
    assert texts(db) == ["Ok", ">Fine"]
    assert [str(row["id"]) for row in db.all("select id from public.messages where content = 'Ok'")] == [
        str(db.value("select md5('messages 1 3')::uuid"))
    ]
    save(db, old := [*old[:3], *elements("Okay", ">Fine", "Bye")])
    assert set(texts(db)) == {"Okay", ">Fine", "Bye"}
    save(db, old := old[:-1])
    assert set(texts(db)) == {"Okay", ">Fine"}
    for moved in (elements("Earlier", ">Yes") + old, old, old[1:]):
        save(db, moved)
        assert {"Before", ">Noted", "Ok"}.isdisjoint(texts(db))
    save(db, old[1:] + elements("After", ">So"))
    assert {"After", ">So"} <= set(texts(db))
    authors = db.all("select user_id is null as answered, starts_with(content, '>') as answer from public.messages")
    assert all(row["answered"] == row["answer"] for row in authors)
    save(db, [])
    assert texts(db) == []
    run(db, "update public.chats set history = '{\"broken\": 1}'")
    run(db, "delete from public.chats")
    assert db.all("select from public.conversations") == db.all("select from chat_copies.failures") == []


def test_list_with_ids__keeps_each_copy_through_moves_and_edits(host_db: Clone, tmp_path: Path) -> None:
    """By the AI SDK's form, with keys of the application's own; another chat's id takes no copy over."""
    db = host_db
    run(db, CHATS)
    known = Known({"messages.role": "speaker", "chats.messages": "history"})

    def said(name: str, text: str, at: str = "2020-01-01T10:00:00Z") -> dict[str, object]:
        parts = [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": text}]
        return {"id": name, "speaker": "user", "role": "none", "parts": parts, "createdAt": at}

    mine = "00000000-0000-4000-8000-000000000001"
    save(db, [said(mine, "Old"), said("x", "Later", "2022-01-01T10:00:00Z")])
    assert "of answers assistant" in adopted(db, tmp_path, known)
    agree(db, "2021-01-01")
    assert texts(db) == ["Later"]
    save(db, [said("x", "Later, too", "2022-01-01T10:00:00Z"), said(mine, "Old, edited"), said("y", "New")])
    assert texts(db) == ["New", "Later, too"]
    before = {row["id"]: row["created_at"] for row in db.all("select id, created_at from public.messages")}
    save(db, [said("y", "Newer"), said("x", "Later, too")])
    assert {row["id"]: row["created_at"] for row in db.all("select id, created_at from public.messages")} == before
    assert texts(db) == ["Newer", "Later, too"]
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (BEN,))
    (taken,) = [str(key) for key in before if str(key) != mine][:1]
    save(db, [said(taken, "Taken over")], chat="2", owner=BEN)
    assert texts(db) == ["Newer", "Later, too"]


def test_list_that_could_not_be_copied__is_repaired(host_db: Clone, tmp_path: Path) -> None:
    """The application's statement goes through; what follows the last copy is copied later, and no more."""
    db = host_db
    run(db, CHATS)
    save(db, old := elements("Before"))
    adopted(db, tmp_path)
    agree(db)
    save(db, old := old + elements("First"))
    run(db, "alter table public.messages add constraint broken check (content not like '%Linz%') not valid")
    save(db, old := old + elements("I live in Linz"))
    save(db, elements("In Linz, new"), chat="2")
    assert texts(db) == ["First"]
    assert len(db.all("select from chat_copies.failures")) == 2
    run(db, "alter table public.messages drop constraint broken")
    with db.as_service() as service:
        service.execute("select chat_copies.repair(10)")
    assert set(texts(db)) == {"First", "I live in Linz", "In Linz, new"}
    assert db.all("select from chat_copies.failures") == []


def test_saved_list__touches_only_the_copies_of_what_changed(host_db: Clone, tmp_path: Path) -> None:
    """Each save writes the whole list back; a copy of what stands as it stood is not written again."""
    db = host_db
    run(db, CHATS)
    adopted(db, tmp_path)
    save(db, [])
    agree(db)
    save(db, old := elements(*(f"{number}" for number in range(40))))

    def versions() -> dict[str, str]:
        return {row["content"]: row["version"] for row in db.all("select content, xmin::text as version from messages")}

    before = versions()
    save(db, old := [*old[:20], *elements("Changed"), *old[21:-1], *elements("39", ">More")])
    after = versions()
    assert after.keys() - before.keys() == {"Changed", ">More"}
    assert before.keys() - after.keys() == {"20"}
    assert all(after[text] == version for text, version in before.items() if text in after)


def test_element_that_is_marked_as_deleted__is_treated_as_deleted(host_db: Clone, tmp_path: Path) -> None:
    """Also one without an id, and one that was never copied; what is unmarked is not read again."""
    db = host_db
    run(db, CHATS)
    save(db, [{**elements("Old, and marked")[0], "createdAt": "2022-01-01", "deletedAt": "2022-01-02T10:00:00Z"}])
    assert "elements with deleted or is_deleted" in adopted(db, tmp_path)
    agree(db, "2020-01-01")
    assert texts(db) == []
    old = [{**elements("Old, and marked")[0], "createdAt": "2022-01-01", "deletedAt": "2022-01-02T10:00:00Z"}]
    kept = [{**one, "deleted": False, "deletedAt": None} for one in elements("I live in Graz", ">Noted")]
    save(db, old + kept)
    assert set(texts(db)) == {"I live in Graz", ">Noted"}
    save(db, [*old, kept[0] | {"deleted": True}, kept[1]])
    assert texts(db) == [">Noted"]
    save(db, [old[0] | {"deletedAt": None}, *kept, *elements("New")])
    assert set(texts(db)) == {">Noted", "New"}
    assert db.all("select from chat_copies.failures") == []
