"""Wherever a person's words may lie, erasure empties it, and the planner's statistics keep no sample of it."""

from __future__ import annotations

from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.sql.words import columns, elsewhere, erased, sampled_expressions


def test_every_column__is_erased_or_left_with_a_reason(db: Clone) -> None:
    """A new column that can hold words needs a line in sql/erasure.sql: a query, or a reason why not."""
    assert columns(db).keys() - erased(db) - elsewhere(db).keys() == set()
    assert elsewhere(db).keys() - columns(db).keys() == set(), "no such column any more"
    assert all(elsewhere(db).values())


def test_a_new_column__is_found(db: Clone) -> None:
    """The checks can fail."""
    db.run("create table keepsake.notes (user_id uuid, said text, heard text[], seen jsonb, hidden bytea)")
    db.run("alter table keepsake.counters add column note text")
    new = {"keepsake.notes.said", "keepsake.notes.heard", "keepsake.notes.seen", "keepsake.notes.hidden"}
    assert columns(db).keys() - erased(db) - elsewhere(db).keys() == {*new, "keepsake.counters.note"}
    assert new < {name for name, target in columns(db).items() if target != 0} - elsewhere(db).keys()
    db.run("create index notes_said on public.user_memory (lower(memory_text))")
    assert sampled_expressions(db) == {"notes_said"}


def test_samples_of_before__are_dropped(db: Clone, people: People) -> None:
    """Also where a trigger watches the column; and the triggers are as they were."""
    triggers = (
        "select tgname, tgtype, tgattr::text from pg_trigger where tgrelid = to_regclass('user_memory') order by 1"
    )
    sampled = "select attname::text from pg_stats where schemaname in ('public', 'keepsake') and attname = any(%s)"
    before, names = db.all(triggers), ["memory_text", "after", "entity_refs"]
    people.memory(people.person(), "Lives in Graz", entity_refs=["place:graz"])
    with db.as_owner() as owner:
        for name, table in zip(names, ("public.user_memory", "keepsake.changes", "public.user_memory"), strict=True):
            owner.execute(f"alter table {table} alter column {name} set statistics 100".encode())
        owner.execute("analyze")
    assert {row["attname"] for row in db.all(sampled, (names,))} == set(names)
    with db.as_owner() as owner:
        for name, table in zip(names, ("public.user_memory", "keepsake.changes", "public.user_memory"), strict=True):
            owner.execute("select keepsake.disable_statistics(%s::text::regclass, %s)", (table, name))
        owner.execute("analyze")
    assert db.all(sampled, (names,)) == []
    assert db.all(triggers) == before


def test_statistics__sample_no_words(db: Clone) -> None:
    """Else most_common_vals would say them after they are erased: alter table … alter column … set statistics 0."""
    assert {name for name, target in columns(db).items() if target != 0} - elsewhere(db).keys() == set()
    assert sampled_expressions(db) == set()
