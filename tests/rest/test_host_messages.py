"""Messages are saved and shown through REST, whether the names in `public` are Keepsake's or the application's."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from keepsake_client import KeepsakeClient, KeepsakeRefusal
from tests.fixtures.db import Clone
from tests.fixtures.rest import serve
from tests.fixtures.tokens import SECRET_KEY
from tests.operations.layouts import ADA, BEN, BIGINTS, CHATBOT_UI, JSON_IN_THE_CHAT, Layout
from tests.operations.test_adopt import adopted, agree, run
from tests.rest.gateway import served

LAYOUTS = {"names free": JSON_IN_THE_CHAT, "messages taken": CHATBOT_UI, "all names taken": BIGINTS}


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
