"""Every key of a person's rows leads with the person, and queries name one: the tables can be divided by person."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from keepsake.infra.database import queries
from keepsake.infra.package_files import SQL_FOLDER
from tests.fixtures.db import Clone

HOST = {"conversations", "conversations_participants", "messages", "user_profile_list"}
"""The application's tables keep the application's keys."""

KEYS_WITHOUT_PERSON = {
    ("keepsake.injections", "injections_answer"),  # to the assistant's message, which nobody wrote
}

ACROSS_PEOPLE = {
    # What several people share: the summary of a conversation, and who spoke in it.
    "conversation_summaries": {"turns", "has_unfinished_turns"},
    "persona_rolling_summaries": {"follow_conversation"},
    # A message or a conversation is given, and the query finds whose it is: the rows are those of its author.
    "turns": {"turn_facts", "unfinished_before", "prompt_context", "due_turns"},
    "extractions": {"outcome", "claim_due", "quarantine_crashed"},  # the last two: what is due, whosever it is
    "injections": {"link_to_answer"},
    "chat_commands": {"reopen_turn"},
    "locks": {"lock_turn"},
    "explanations": {"kept_turn"},
    # The person is whoever asks: row-level security adds them.
    "erasure_scope": {"visible_memories"},
    # What is due, old or counted, whosever it is: found by an index on its time, then written by its key.
    "embeddings": {
        "requeue_vectors_of_other_models", "retry_abandoned", "people_with_unscreened_edits", "claim", "dequeue",
        "release", "postpone_rejected",
    },
    "merged_context_cache": {"claim_due"},
    "message_retention": {"delete_message_texts"},
    "metrics": {"stored_counts"},
    "retention": {
        "expire", "forget_by_retention", "archive_unused", "delete_forgotten", "drop_counters", "clear_images",
        "drop_changes", "shrink_extractions", "drop_injections", "drop_commands",
    },
    "sessions": {"claim_due_sessions", "claim_due_states"},
    "summary_schedule": {"claim_due", "count_due"},
    "webhook_deliveries": {"note_message"},  # of the author of the message that is named
}  # fmt: skip
"""The queries of people's rows that no parameter binds to one person."""

BY_OTHER_KEYS = {
    # The words of memories are indexed with their profile, which has one owner.
    "context_candidates.select_candidates", "context_candidates.select_introduction", "chat_commands.remembered",
    "memories.relevant_memories", "memories.mentioned_memories", "memories.related_memories",
    "imports.match_rows",  # an id that anybody has is not taken again
    "erasure_scope.visible_memories",  # row-level security
    "erasure.rewrite_mentioning",  # bound outside of the union
}  # fmt: skip
"""The queries that are bound to a person and read one of their tables by something else."""

PEOPLES_TABLES = """
    select c.oid, c.oid::regclass::text as name from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
"""
_REFERENCE = re.compile(r"\b(from|join|update|using)\s+(?:public|keepsake)\.(\w+)\b(?!\()(?:\s+as\s+(\w+))?")


@pytest.fixture
def tables(db: Clone) -> list[str]:
    """The tables of people's rows that are ours."""
    found = [row["name"] for row in db.all(f"{PEOPLES_TABLES} order by 2")]
    assert len(found) > 40
    return [name for name in found if name.removeprefix("public.") not in HOST]


def test_keys__lead_with_the_person(db: Clone, tables: list[str]) -> None:
    """Primary keys, unique keys and foreign keys, but for the named exceptions."""
    found = db.all(f"""with tables as ({PEOPLES_TABLES})
        select t.name, i.indexrelid::regclass::text as key, pg_get_indexdef(i.indexrelid, 1, false) as leads
        from tables as t join pg_index as i on i.indrelid = t.oid where i.indisunique
        union all
        select t.name, k.conname, a.attname from tables as t
        join pg_constraint as k on k.conrelid = t.oid and k.contype = 'f'
        join pg_attribute as a on a.attrelid = t.oid and a.attnum = k.conkey[1]""")
    assert {(row["name"], row["key"]) for row in found if row["name"] in tables and row["leads"] != "user_id"} == (
        KEYS_WITHOUT_PERSON
    )


def test_tables__can_be_divided_by_person(db: Clone, tables: list[str]) -> None:
    """Postgres takes each of them, with all its keys, as one divided by hash of the person."""
    with db.as_superuser() as connection:
        for number, name in enumerate(tables):
            connection.execute(
                f"create table public.divided_{number} (like {name} including all) partition by hash (user_id)".encode()
            )
        connection.rollback()


def test_queries__are_of_one_person() -> None:
    """Each query of people's rows names the person, but for the named exceptions."""
    found: dict[str, set[str]] = {}
    for stem, name, sql in _queries():
        if _references(sql) and not re.search(r"%\((user_ids?|person|after_user)\)s", sql):
            found.setdefault(stem, set()).add(name)
    assert found == ACROSS_PEOPLE


def test_queries__join_by_the_person() -> None:
    """A query of one person reads each of their tables by the person, not by an id alone."""
    found = {
        f"{stem}.{name}"
        for stem, name, sql in _queries()
        if name not in ACROSS_PEOPLE.get(stem, ()) or f"{stem}.{name}" in BY_OTHER_KEYS
        for start, alias in _references(sql)
        if not _is_bound(_scope(sql, start), alias)
    }
    assert found == BY_OTHER_KEYS


def _queries() -> Iterator[tuple[str, str, str]]:
    for path in sorted(SQL_FOLDER.glob("*.sql")):
        for query in queries.load(path.stem).values():
            yield path.stem, query.name, re.sub(r"--[^\n]*", "", query.sql)


def _references(sql: str) -> list[tuple[int, str | None]]:
    """Where a query names a table of people's rows, and by which alias."""
    return [(found.start(), found[3]) for found in _REFERENCE.finditer(sql) if _is_of_people(found[2])]


def _is_of_people(table: str) -> bool:
    shared = {
        "chat_copies", "conversation_summaries", "conversation_marks", "due_conversations", "embedding_models",
        "model_circuits", "model_days", "model_profiles", "model_trials", "model_verdicts", "watermarks",
        "webhook_deliveries",
    }  # fmt: skip
    return table not in HOST | shared and not table.startswith("procrastinate_")


def _scope(sql: str, place: int) -> str:
    """The innermost parentheses around a place of a query, or the whole of it."""
    start, end = place, place
    depth = 0
    while start > 0 and depth >= 0:
        start -= 1
        depth += {")": 1, "(": -1}.get(sql[start], 0)
    depth = 0
    while end < len(sql) and depth >= 0:
        depth += {"(": 1, ")": -1}.get(sql[end], 0)
        end += 1
    return sql[start:end]


def _is_bound(scope: str, alias: str | None) -> bool:
    """Whether the person of a table is compared with one that is known there."""
    column = rf"\b{alias}\.user_id\b" if alias else r"\buser_id\b"
    compared = rf"{column}\s*(::\w+\s*)?(=|>|is not distinct from|,[^)]*\)\s*(=|>|in))|=\s*{column}"
    return re.search(compared, scope) is not None
