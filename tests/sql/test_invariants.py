"""The invariants of the data hold after a life of changes, and each is seen to turn red."""

from __future__ import annotations

from typing import LiteralString

import psycopg

from keepsake.domain.summaries.periods import Level
from tests.fixtures.scene import Scene
from tests.sql.gap_checks import INVARIANTS, gaps, names
from tests.support.summaries import remember, summarize

# The invariant that must turn red, and what breaks it; triggers stand aside, as after a bad repair by hand.
_BO = "(select id from public.user_memory where memory_text = 'Name is Bo')"
_UNKNOWN = """insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)
select user_id, profile_id, 'person:x', 'person:y', 1 from public.user_memory_entities"""
_ERASED = (
    "insert into public.user_memory_settings (user_id, erased_before) select user_id, '2100-01-01'"
    " from public.user_profile_list"
)
_RESULTS = "update keepsake.extractions set results = jsonb_build_array(jsonb_build_object('action', 'created',"
_EDITED = (
    "insert into keepsake.unscreened_edits (user_id, memory_id, operation_id, rejection)"
    " select user_id, row_id, operation_id, 'secret' from keepsake.changes"
    " where action = 'insert' and table_name = 'user_memory'"
    " on conflict do nothing"
)
_WITH_INSERTS = "operation_id in (select operation_id from keepsake.changes where action = 'insert')"
FAULTS: list[tuple[str, LiteralString]] = [
    ("two_active_values", "update public.user_memory set memory_key = 'twin' where status = 'active'"),
    ("history_in_a_circle", "update public.user_memory set supersedes_id = id where status = 'superseded'"),
    (
        "replaced_and_active",
        "update public.user_memory set status = 'active', memory_key = null where status = 'superseded'",
    ),
    ("replaced_by_another", f"update public.user_memory set supersedes_id = {_BO} where supersedes_id is not null"),
    ("state_without_its_date", "update public.user_memory set valid_to = null where status = 'superseded'"),
    ("ended_before_it_began", "update public.user_memory set valid_to = '2000-01-01' where valid_to is not null"),
    ("restated_before_it_was_said", "update public.user_memory set restated_at = '2000-01-01'"),
    ("doubted_before_it_was_said", "update public.user_memory set doubted_at = '2000-01-01'"),
    (
        "doubted_and_confirmed",
        (
            "update keepsake.changes set actor = 'user', reason = 'confirm';"
            " update public.user_memory set doubted_at = now()"
        ),
    ),
    ("active_without_words", "delete from keepsake.memory_index"),
    (
        "words_without_memory",
        "update public.user_memory set status = 'archived', archived_at = now(), deleted_at = null",
    ),
    ("number_not_counted", "update keepsake.counters set value = 1"),
    ("result_of_somebody_else", f"{_RESULTS} 'memory_id', {_BO}))"),
    ("unfinished_with_results", "update keepsake.extractions set status = 'pending'"),
    ("half_undone", f"update keepsake.changes set undone_at = now() where action = 'update' and {_WITH_INSERTS}"),
    ("change_without_a_side", "update keepsake.changes set before = null where action = 'update'"),
    ("change_of_somebody_else", "update keepsake.changes set row_id = gen_random_uuid()"),
    ("changed_without_a_log", "update public.user_memory set confidence_score = 0.1 where status = 'active'"),
    ("remembered_from_before_erasure", _ERASED),
    ("told_of_from_before_erasure", f"{_ERASED}; delete from public.user_memory"),
    ("entity_without_a_row", "delete from public.user_memory_entities"),
    ("entity_of_no_memory", "update public.user_memory set entity_refs = '{}'"),
    ("proposal_of_no_entity", _UNKNOWN),
    (
        "summary_without_its_memory",
        "update public.user_memory_weekly_summaries set memory_ids = array[gen_random_uuid()]",
    ),
    (
        "unscreened_edit_without_its_change",
        f"{_EDITED}; update keepsake.unscreened_edits set operation_id = gen_random_uuid()",
    ),
    ("rejected_edit_stands", _EDITED),
    (
        "todo_closed_before_it_was_opened",
        "update public.user_memory_todos set status = 'done', closed_at = opened_at - interval '1 day'",
    ),
    ("todo_from_before_erasure", _ERASED),
    (
        "session_text_without_its_source",
        "update public.user_memory_session_state set source_ids = array[gen_random_uuid()]",
    ),
    (
        "forgotten_summary_stands",
        (
            "insert into public.user_memory_forgotten_summaries (user_id, profile_id, kind, first_date)"
            " select user_id, profile_id, 'day', summary_date from public.user_memory_daily_summaries"
        ),
    ),
    (
        "comparison_without_its_months",
        (
            "insert into public.user_memory_yearly_comparisons (user_id, profile_id, year, month, growth, source_ids,"
            " generator) select user_id, id, 2024, 10, '', array[gen_random_uuid()], 'rules'"
            " from public.user_profile_list"
        ),
    ),
]


async def test_invariants__hold_after_changes_and_each_has_a_planted_fault(scene: Scene) -> None:
    scene.people.person("Bo")
    await scene.tell("My favourite food is pizza.")
    await scene.tell("Actually my favourite food is ramen. I live in Graz. I need to call the dentist.")
    forgotten = (await scene.tell("I like chess.")).memories[0].id
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.forget_memory(%s)", (forgotten,))
        connection.execute("update public.user_memory set pinned = true where memory_text = 'Lives in Graz'")
    remember(scene, "2024-10-31", "Plays the cello")
    for level in Level:
        assert await summarize(scene, level)
    with scene.db.as_owner() as owner:
        assert gaps(owner, INVARIANTS) == []
    for name, fault in FAULTS:
        with scene.db.as_superuser() as connection:
            connection.execute("set local session_replication_role = replica")
            _break(connection, fault)
            assert name in {check for check, _, _ in gaps(connection, INVARIANTS)}, name
            connection.rollback()
    assert {name for name, _ in FAULTS} == names(INVARIANTS)


def _break(connection: psycopg.Connection[object], fault: LiteralString) -> None:
    connection.execute("drop index public.user_memory_one_active")
    connection.execute(fault)
