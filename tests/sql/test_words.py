"""Wherever a person's words may lie, erasure empties it, and the planner's statistics keep no sample of it."""

from __future__ import annotations

from tests.fixtures.db import Clone
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


def test_statistics__sample_no_words(db: Clone) -> None:
    """Else most_common_vals would say them after they are erased: alter table … alter column … set statistics 0."""
    assert {name for name, target in columns(db).items() if target != 0} - elsewhere(db).keys() == set()
    assert sampled_expressions(db) == set()
