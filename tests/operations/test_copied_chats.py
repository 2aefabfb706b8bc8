"""Over copied chats hold the rights of Keepsake's own tables; two people in one chat are remembered apart."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import LiteralString
from uuid import UUID

import psycopg
import pytest_asyncio

from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL
from tests.operations.layouts import ADA, BEN, BIGINTS, CHATBOT_UI
from tests.operations.test_adopt import adopted, run
from tests.sql.gap_checks import INVARIANTS, gaps

RIGHTS: LiteralString = """
select c.relname, c.relrowsecurity, c.relforcerowsecurity,
  array(select a.grantee::regrole || ' ' || a.privilege_type from aclexplode(c.relacl) as a
    where a.grantee <> c.relowner order by 1) as grants,
  array(select t.attname || ' ' || a.grantee::regrole || ' ' || a.privilege_type
    from pg_attribute as t cross join lateral aclexplode(t.attacl) as a where t.attrelid = c.oid order by 1) as columns,
  array(select p.polname || p.polcmd::text || p.polroles::regrole[]::text || coalesce(pg_get_expr(p.polqual, c.oid), '')
    || coalesce(pg_get_expr(p.polwithcheck, c.oid), '')
    from pg_policy as p where p.polrelid = c.oid order by 1) as policies
from pg_class as c where c.oid = any (%s::regclass[]) order by c.relname
"""
NAMES = ("user_profile_list", "conversations", "conversations_participants", "messages", "conversation_summaries")
ATTEMPTS: list[LiteralString] = [
    "select from keepsake_chats.messages",
    "select from keepsake_chats.conversations",
    "select from keepsake_chats.conversations_participants",
    "select from keepsake_chats.user_profile_list",
    "update keepsake_chats.conversations set title = 'forged'",
    "update keepsake_chats.messages set content = 'forged'",
    "update keepsake_chats.conversations_participants set remember_since = '2000-01-01'",
    "delete from keepsake_chats.messages",
    "delete from keepsake_chats.user_profile_list",
    "insert into keepsake_chats.conversations_participants values (md5('chats 1')::uuid, auth.uid())",
    "insert into keepsake_chats.messages (conversation_id, content) values (md5('chats 1')::uuid, 'forged')",
    "select from chat_copies.failures",
    "select chat_copies.repair(10)",
    "select from chat_copies.counts()",
    "select public.agree_to_memory_for('00000000-0000-4000-8000-00000000000a')",
    "drop trigger copy_message on public.messages",
]


@pytest_asyncio.fixture
async def copied(blank_db: Clone, clock: FixedClock) -> AsyncIterator[Resources]:
    """What the functions share over the application's database, once it has adopted."""
    settings = Settings.load(
        database_url=blank_db.api_url, supabase_url=PROJECT_URL, supabase_jwt_secret=JWT_SECRET,
        statement_timeout_seconds=60,
    )  # fmt: skip
    resources = Resources.build(settings, clock=clock)
    yield resources
    await resources.close()


def _agree(db: Clone, *people: UUID) -> None:
    with db.as_service() as service:
        for person in people:
            service.execute("select public.agree_to_memory_for(%s)", (person,))


def test_copies__have_the_rights_and_policies_of_the_tables_in_public(
    db: Clone, blank_db: Clone, tmp_path: Path
) -> None:
    """So what is tried on those, by every verb, holds for these; and whoever is not the person gets nothing."""
    run(blank_db, BIGINTS.tables)
    adopted(blank_db, tmp_path)
    rights = [
        [str(tuple(row.values())).replace(f"{schema}.", "") for row in one.all(RIGHTS, (tables,))]
        for one, schema in ((db, "public"), (blank_db, "keepsake_chats"))
        for tables in ([f"{schema}.{name}" for name in NAMES],)
    ]
    assert len(rights[0]) == len(NAMES)
    assert rights[0] == rights[1]
    _agree(blank_db, ADA)
    run(blank_db, BIGINTS.new_chat)
    run(blank_db, BIGINTS.say.format(role="human", text="I live in Graz"))
    before = blank_db.all("select * from keepsake_chats.messages")
    assert len(before) == 1
    for attempt in ATTEMPTS:
        for intruder in (blank_db.as_person(BEN), blank_db.as_anon()):
            try:
                with intruder as connection:
                    assert connection.execute(attempt).rowcount <= 0, attempt
            except psycopg.Error as error:
                assert error.sqlstate == "42501", attempt  # noqa: PT017 (either is right: nothing found, or refused)
    assert blank_db.all("select * from keepsake_chats.messages") == before


async def test_together__each_ones_words_are_their_own_memory(
    blank_db: Clone, tmp_path: Path, copied: Resources
) -> None:
    """Of a chat of the application that two people share; of a third, who takes no part, nothing is copied."""
    db, third = blank_db, UUID("00000000-0000-4000-8000-00000000000c")
    run(db, CHATBOT_UI.tables + f"insert into auth.users (id) values ('{third}');")
    adopted(db, tmp_path)
    run(db, "alter role keepsake_api login")
    _agree(db, ADA, BEN, third)
    run(db, CHATBOT_UI.new_chat)
    with db.as_service() as service:
        service.execute("update keepsake_chats.conversations set mode = 'together'")
        service.execute(
            "insert into keepsake_chats.conversations_participants (conversation_id, user_id, profile_id)"
            " select c.id, p.user_id, p.id from keepsake_chats.conversations as c"
            " join keepsake_chats.user_profile_list as p on p.user_id = %s",
            (BEN,),
        )
    said = {ADA: "My favourite food is quinceberry.", BEN: "My favourite food is ramen.", third: "I live in Oslo."}
    for person, text in said.items():
        run(db, CHATBOT_UI.say.format(role="user", text=text).replace(str(ADA), str(person)))
    assert {row["user_id"] for row in db.all("select user_id from keepsake_chats.messages")} == {ADA, BEN}
    await backfill(copied, Backfill(), lambda _line: None)
    remembered = db.all("select user_id, memory_text from public.user_memory where source = 'rule_extraction'")
    assert {row["user_id"]: row["memory_text"] for row in remembered} == {
        ADA: "Favorite food is quinceberry",
        BEN: "Favorite food is ramen",
    }
    chat = db.value("select id from public.chats")
    for person, own, other in ((ADA, "quinceberry", "ramen"), (BEN, "ramen", "quinceberry")):
        asked = ContextRequest(chat, user_id=person, user_message="What is our favourite food?")
        context = (await inject_memory(copied, asked)).context
        assert own in context
        assert other not in context
    with db.as_superuser() as connection:
        assert gaps(connection, INVARIANTS) == []
