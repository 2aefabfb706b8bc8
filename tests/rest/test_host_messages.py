"""What the panel asks of a chat is answered through REST, whoever has the names in `public`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from keepsake_client import KeepsakeClient, KeepsakeRefusal
from tests.fixtures.db import Clone
from tests.fixtures.rest import serve
from tests.fixtures.tokens import SECRET_KEY
from tests.operations.layouts import ADA, BEN, BIGINTS, CHATBOT_UI, JSON_IN_THE_CHAT, SOFT_DELETES, Layout
from tests.operations.test_adopt import adopted, agree, run
from tests.rest.gateway import served

LAYOUTS = {"names free": JSON_IN_THE_CHAT, "messages taken": CHATBOT_UI, "all names taken": BIGINTS}

PROFILES_TAKEN = replace(
    SOFT_DELETES,
    tables=SOFT_DELETES.tables
    + """
create table public.user_profile_list (id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id), name text,
  is_primary boolean not null default true, created_at timestamptz not null default now());
create table public.conversations_participants (id uuid primary key default gen_random_uuid(),
  conversation_id uuid references public.conversations (id) on delete cascade, user_id uuid, profile_id uuid);
grant select on public.user_profile_list, public.conversations_participants to authenticated;
insert into public.user_profile_list (user_id, name) select id, 'Somebody' from auth.users;
""",
)
"""An application with profiles and participants of its own, by the same names and other ids."""


def _source(client: httpx.Client, message: UUID) -> httpx.Response:
    return client.get("/rpc/source_message", params={"message_id": str(message)})


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
async def test_source_message__is_shown_to_who_takes_part_and_nobody_else(
    blank_db: Clone, tmp_path: Path, layout: Layout
) -> None:
    """Where `public.messages` is the application's, the panel shows the message too."""
    db = blank_db
    run(db, layout.tables)
    adopted(db, tmp_path)
    agree(db)
    run(db, layout.new_chat)
    run(db, layout.say.format(role=layout.roles[0], text="I live in Graz"))
    message = db.value("select id from keepsake_chats.messages")
    conversation = db.value("select id from keepsake_chats.conversations")
    own_rows = db.all(f"select * from {layout.messages}")
    with serve(db, tmp_path) as rest:
        (found,) = _source(rest.as_person(ADA), message).json()
        assert (found["id"], found["content"]) == (str(message), "I live in Graz")
        assert _source(rest.as_person(BEN), message).json() == []
        assert _source(rest.as_anon(), message).status_code == 401
        with served(rest.url) as url:
            async with KeepsakeClient(url, SECRET_KEY) as keepsake:
                answer = uuid4()
                for text in ("Noted", "Noted again"):
                    await keepsake.save_message(conversation, answer, text)
                with pytest.raises(KeepsakeRefusal):
                    await keepsake.save_message(uuid4(), uuid4(), "Nowhere")
        assert [row["content"] for row in _source(rest.as_person(ADA), answer).json()] == ["Noted"]
    assert db.all(f"select * from {layout.messages}") == own_rows


@pytest.mark.parametrize("layout", [*LAYOUTS.values(), PROFILES_TAKEN], ids=[*LAYOUTS, "profiles taken"])
def test_profile_and_participation__are_keepsakes_own(blank_db: Clone, tmp_path: Path, layout: Layout) -> None:
    """By these the panel says whether a chat is remembered; each person is shown their own."""
    db = blank_db
    run(db, layout.tables)
    adopted(db, tmp_path)
    agree(db)
    run(db, layout.new_chat)
    chat = str(db.value("select id from keepsake_chats.conversations"))
    with serve(db, tmp_path) as rest:
        person = rest.as_person(ADA)
        (profile,) = person.post("/rpc/memory_profiles").json()
        (participation,) = person.post("/rpc/memory_participation", json={"conversation_id": chat}).json()
        assert (profile["user_id"], profile["is_primary"]) == (str(ADA), True)
        assert (participation["user_id"], participation["profile_id"]) == (str(ADA), profile["id"])
        assert rest.as_person(BEN).post("/rpc/memory_profiles").json() == []
        assert rest.as_person(BEN).post("/rpc/memory_participation", json={"conversation_id": chat}).json() == []
        assert rest.as_anon().post("/rpc/memory_profiles").status_code == 401
