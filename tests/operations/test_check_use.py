"""``keepsake doctor`` says why nothing is remembered: no profile, no author, no copy of the chat, no schedule."""

from __future__ import annotations

from keepsake.operations.check_use import check_use
from tests.fixtures.db import Clone
from tests.fixtures.people import People

RAN = """
insert into keepsake.watermarks (name, reached) values ('lost_turns', now() - interval '2 minutes' - %s::interval)
on conflict (name) do update set reached = excluded.reached
"""
PENDING = """
insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, next_attempt_at)
values (%s, %s, %s, 'pending', now() - interval '1 hour')
"""
RECENT = "update public.messages set created_at = now()"


def lines(db: Clone) -> dict[str, str]:
    """What the doctor says, by subject."""
    found: dict[str, str] = {}
    for finding in check_use(db.owner_url):
        found[finding.subject] = found.get(finding.subject, "") + finding.line()
    return found


def test_consent__nobody_yet(db: Clone) -> None:
    assert lines(db)["consent"].startswith("· consent: nobody has a primary profile")


def test_consent__counts_people_and_conversations(db: Clone, people: People) -> None:
    ada = people.person("Ada")
    chosen, other = people.conversation(ada), people.conversation(ada, memory=False)
    people.says(ada, other, "Hello")
    db.run(RECENT)
    assert "Set profile_id" in lines(db)["consent"]
    people.says(ada, chosen, "Hello")
    db.run(RECENT)
    assert lines(db)["consent"] == (
        "✓ consent: 1 people have a primary profile; of the last 7 days 1 conversations remember, 1 do not"
    )


def test_messages__without_an_author_or_a_conversation_are_not_read(db: Clone, people: People) -> None:
    ada = people.person("Ada")
    chat = people.conversation(ada)
    people.says(ada, chat, "Hello")
    db.run(RECENT)
    assert "messages" not in lines(db)
    with db.as_superuser() as connection:  # as in a table of the application, which has no foreign key
        connection.execute("set session_replication_role = replica")
        connection.execute("delete from public.conversations")
    assert "1 messages of the last 7 days have no row in conversations" in lines(db)["messages"]
    db.run("update public.messages set user_id = null")
    assert "1 messages of the last 7 days with role 'user' have no user_id" in lines(db)["messages"]


def test_jobs__are_called_every_minute(db: Clone, people: People) -> None:
    assert lines(db)["jobs"].startswith("· jobs: run-due-jobs was never called")
    db.run(RAN, ("1 minute",))
    assert lines(db)["jobs"] == "✓ jobs: run-due-jobs is called, and no message waits"
    db.run(RAN, ("3 hours",))
    silent = lines(db)["jobs"]
    assert silent.startswith("✗ jobs: run-due-jobs has not come to its end for 180 minutes")
    assert "keepsake schedule" in silent


def test_jobs__messages_that_wait_are_counted(db: Clone, people: People) -> None:
    ada = people.person("Ada")
    chat = people.conversation(ada)
    db.run(PENDING, (chat, people.says(ada, chat, "Hello"), ada.user_id))
    assert lines(db)["jobs"].startswith("✗ jobs: 1 messages wait, and run-due-jobs was never called")
    db.run(RAN, ("1 minute",))
    assert lines(db)["jobs"].startswith("· jobs: 1 messages wait for more than 10 minutes")


def test_nothing__is_said_of_a_database_without_migrations(blank_db: Clone) -> None:
    assert list(check_use(blank_db.owner_url)) == []
