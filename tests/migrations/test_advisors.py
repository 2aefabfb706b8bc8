"""Supabase's own advisors, by the real CLI, find nothing to mend; and they are not blind."""

from __future__ import annotations

from pathlib import Path

from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone
from tests.migrations.supabase_cli import advisors, project
from tests.sql.gap_checks import gaps

# An index is "unused" until the database has lived; nothing else may be reported.
EXPECTED = {"unused_index"}

FAULTS = [
    ("rls_disabled_in_public", "create table public.notes (id int primary key); grant select on public.notes to anon"),
    ("policy_exists_rls_disabled", "alter table public.user_memory disable row level security"),
    (
        "rls_policy_always_true",
        ("grant delete on public.messages to authenticated;"
        "create policy p on public.messages for delete to authenticated using (true)"),
    ),
    (
        "auth_rls_initplan",
        "create policy r on public.messages for delete to authenticated using (auth.uid() = user_id)",
    ),
    (
        "multiple_permissive_policies",
        "create policy q on public.messages for select to authenticated using ((select auth.uid()) = user_id)",
    ),
    (
        "security_definer_view",
        ("create view public.everything as select * from public.user_memory;"
        "grant select on public.everything to authenticated"),
    ),
    ("function_search_path_mutable", "create function keepsake.f() returns int language sql as 'select 1'"),
    ("unindexed_foreign_keys", "drop index public.user_memory_superseded_by"),
    ("duplicate_index", "create index again on public.user_memory (user_id, created_at desc)"),
    ("no_primary_key", "create table keepsake.notes (id int)"),
    ("rls_enabled_no_policy", ('drop policy "People see their own settings" on public.user_memory_settings;'
     'drop policy "People make their own settings" on public.user_memory_settings;'
     'drop policy "People change their own settings" on public.user_memory_settings')),
]  # fmt: skip


def test_advisors__report_nothing_but_unused_indexes(unmigrated_db: Clone, tmp_path: Path) -> None:
    """On every supported Postgres, with and without the old default grants."""
    migrate(unmigrated_db.owner_url)
    found = advisors(project(tmp_path), unmigrated_db.owner_url)
    assert [issue["detail"] for issue in found if issue["name"] not in EXPECTED] == []
    assert found, "a new database has unused indexes: the advisors did not look"


def test_advisors__planted_faults(db: Clone, tmp_path: Path) -> None:
    """Planted faults are reported: the run is not green because nobody looked."""
    with db.as_owner() as connection:
        for _, fault in FAULTS:
            connection.execute(fault.encode())
    found = {issue["name"] for issue in advisors(project(tmp_path), db.owner_url)}
    assert {lint for lint, _ in FAULTS} <= found


def test_advisors__definer_rpc(db: Clone) -> None:
    """A definer function in the exposed schema turns our own check red: this CLI's advisors have no lint for it yet."""
    with db.as_owner() as connection:
        connection.execute(
            "create function public.f() returns bigint language sql security definer set search_path = ''"
            " as 'select count(*) from public.user_memory'"
        )
        assert "definer_exposed" in {name for name, _, _ in gaps(connection)}
