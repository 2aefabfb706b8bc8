"""Our own gap checks find nothing in Keepsake's database, and each finds the fault that is planted for it."""

from __future__ import annotations

import pytest

from tests.fixtures.db import Clone
from tests.sql.gap_checks import gaps, names

# The check that must turn red, and a fault of its kind. Several faults for one check are several ways past it.
FAULTS = [
    ("row_security_off", "alter table public.user_memory disable row level security"),
    (
        "row_security_off",
        "create table public.notes (id int); grant select (id), update (id) on public.notes to authenticated",
    ),
    (
        "row_security_off",
        "create table public.notes (id int); grant insert, update, delete on public.notes to authenticated",
    ),
    (
        "row_security_off",
        "create table public.notes (id int) partition by list (id); grant select on public.notes to anon",
    ),
    ("row_security_not_forced", "alter table public.user_memory no force row level security"),
    ("view_with_owners_rights", "create view public.all_memories as select * from public.user_memory"),
    ("view_with_owners_rights", "create materialized view public.all_memories as select * from public.user_memory"),
    ("policy_for_everybody", "create policy p on public.messages for delete using ((select auth.uid()) = user_id)"),
    (
        "policy_for_everybody",
        "create policy p on public.messages for delete to anon using ((select auth.uid()) = user_id)",
    ),
    (
        "policy_calls_for_every_row",
        "create policy p on public.messages for delete to authenticated using (auth.uid() = user_id)",
    ),
    (
        "policy_calls_for_every_row",
        (
            "create policy p on public.messages for delete to authenticated"
            " using ((select auth.uid()) = user_id or auth.uid() = conversation_id)"
        ),
    ),
    ("policy_asks_not_who", "create policy p on public.messages for delete to authenticated using (true)"),
    ("policy_asks_not_who", "create policy p on public.messages for delete to authenticated using (1 < 2)"),
    ("policy_asks_not_who", "create policy p on public.messages for delete to authenticated using (id is not null)"),
    (
        "policy_asks_not_who",
        (
            "create policy p on public.messages for delete to authenticated"
            " using ((select auth.uid()) = user_id or user_id is not null)"
        ),
    ),
    ("policy_asks_not_who", "create policy p on public.user_memory for insert to authenticated with check (true)"),
    (
        "policy_true_for_nobody",
        (
            "create policy p on public.messages for delete to authenticated"
            " using ((select auth.uid()) is null or (select auth.uid()) = user_id)"
        ),
    ),
    ("policy_column_without_index", "drop index public.conversations_participants_user_profile"),
    (
        "reference_without_owner",
        "alter table public.user_memory add other uuid references public.user_profile_list (id)",
    ),
    ("private_table_published", "alter publication supabase_realtime add table keepsake.changes"),
    ("anon_may", "grant select on public.user_memory to anon"),
    ("anon_may", "grant select (id) on public.user_memory to public"),
    ("anon_may", "grant usage on sequence keepsake.procrastinate_jobs_id_seq to anon"),
    ("not_under_policies", "grant truncate on public.user_memory to authenticated"),
    ("not_under_policies", "grant trigger on public.messages to authenticated"),
    ("not_under_policies", "grant references (id) on public.user_memory to authenticated"),
    ("write_on_whole_table", "grant update on public.conversations to authenticated"),
    ("server_owned_column", "grant update (confidence_score) on public.user_memory to authenticated"),
    ("server_owned_column", "grant insert (memory_text) on public.user_memory to authenticated"),
    ("server_owned_column", "grant delete on public.user_memory to authenticated"),
    ("server_owned_column", "grant update (erased_before) on public.user_memory_settings to authenticated"),
    ("select_by_column", "grant select (id) on public.user_memory to authenticated"),
    ("private_table_granted", "grant select on keepsake.injections to authenticated"),
    ("private_schema_open", "grant usage on schema keepsake to authenticated"),
    ("private_schema_open", "grant create on schema keepsake to public"),
    ("open_by_default", "alter default privileges in schema keepsake grant select on tables to authenticated"),
    ("open_by_default", "alter default privileges grant select on tables to anon"),
    ("callable_by_anyone", "create function public.f() returns int language sql set search_path = '' as 'select 1'"),
    ("callable_by_anyone", "grant execute on function public.memory_overview() to anon"),
    ("definer_exposed", "alter function public.memory_overview() security definer"),
    ("definer_search_path", "alter function keepsake.memory_overview() reset search_path"),
    ("definer_search_path", "alter function keepsake.memory_overview() set search_path = public"),
    ("search_path_missing", "alter function keepsake.is_memory_enabled(text, boolean) reset search_path"),
    (
        "definer_asks_not_who",
        (
            "create function keepsake.f() returns bigint language sql security definer set search_path = ''"
            " as 'select count(*) from public.user_memory'; grant execute on function keepsake.f() to authenticated"
        ),
    ),
    (
        "definer_without_where",
        (
            "create function keepsake.f() returns void language sql security definer set search_path = ''"
            " as 'delete from public.user_memory'"
        ),
    ),
    (
        "private_function_granted",
        "grant execute on function keepsake.undo(uuid, uuid, text) to authenticated",
    ),
    ("role_reachable", "grant service_role to authenticated"),
    ("functions_role_too_strong", "alter role keepsake_api bypassrls"),
    ("functions_role_too_strong", "grant pg_read_all_data to keepsake_api"),
    ("functions_role_owns", "alter table keepsake.counters owner to keepsake_api"),
]


def test_gap_checks__keepsakes_own_database(db: Clone) -> None:
    """Nothing is found in a database that was just migrated."""
    with db.as_owner() as connection:
        assert gaps(connection) == []


@pytest.mark.parametrize("check, fault", FAULTS, ids=[f"{check}-{n}" for n, (check, _) in enumerate(FAULTS)])
def test_gap_checks__planted_fault(db: Clone, check: str, fault: str) -> None:
    """A fault turns its check red, and is gone with the transaction it was planted in."""
    with db.as_superuser() as connection:
        connection.execute(fault.encode())
        assert check in {name for name, _, _ in gaps(connection)}
        connection.rollback()


def test_gap_checks__each_has_a_planted_fault() -> None:
    """A check that was never seen red proves nothing."""
    assert {check for check, _ in FAULTS} == names()
