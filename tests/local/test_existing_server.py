"""An existing server is used as it is: nothing is laid or applied there unasked, and the doctor names what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import LiteralString

import pytest

from keepsake.errors import Conflict
from keepsake.infra.settings import Settings
from keepsake.local.stack.databases import existing_database
from keepsake.operations.doctor import run_checks
from keepsake.operations.finding import Finding
from keepsake.project.folder import ProjectFolder
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.rest import Rest
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY, WEBHOOK_SECRET
from tests.rest.gateway import served

FORGET_THE_NEWEST: LiteralString = """
delete from supabase_migrations.schema_migrations
where version = (select max(version) from supabase_migrations.schema_migrations)
"""

BREAK_A_COUNT: LiteralString = """
insert into auth.users (id, email) values ('7f0c7ac8-5ca9-4e53-a9c7-0f9d3d6a8b11', 'a@example.com');
insert into public.user_profile_list (user_id, name, is_primary)
values ('7f0c7ac8-5ca9-4e53-a9c7-0f9d3d6a8b11', 'A', true);
update keepsake.counters set value = 0 where name = 'memory_no';
"""
Examine = Callable[[Clone], dict[str, Finding]]


@pytest.fixture
def diagnosis(rest: Rest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examine:
    """What the doctor finds, by subject, for a deployment over this test's database."""

    def look(db: Clone) -> dict[str, Finding]:
        with served(rest.url) as url:
            for name, value in {
                "DATABASE_URL": db.direct_api_url,
                "SUPABASE_URL": url,
                "SUPABASE_JWT_SECRET": JWT_SECRET,
                "SUPABASE_SECRET_KEY": SECRET_KEY,
                "WEBHOOK_SECRETS": WEBHOOK_SECRET,
            }.items():
                monkeypatch.setenv(name, value)
            findings = run_checks(ProjectFolder(tmp_path / "none"), db.direct_api_url, db.owner_url)
        return {finding.subject: finding for finding in findings}

    return look


def test_existing_database__is_used_with_the_functions_own_login(db: Clone) -> None:
    with existing_database(db.direct_api_url, db.owner_url) as database:
        assert not database.embedded
        assert database.functions_url == database.rest_url == db.direct_api_url


@pytest.mark.parametrize("owner_known", [True, False])
def test_existing_database__is_refused_where_it_is_not_migrated(blank_db: Clone, *, owner_known: bool) -> None:
    """And left as it was found."""
    owner = blank_db.owner_url if owner_known else None
    with pytest.raises(Conflict, match="not migrated") as refusal, existing_database(blank_db.owner_url, owner):
        pass
    assert "keepsake migrate" in (refusal.value.hint or "")
    assert blank_db.value("select to_regclass('public.user_memory') is null")


def test_doctor__finds_nothing_wrong_in_a_good_deployment(db: Clone, diagnosis: Examine) -> None:
    found = diagnosis(db)
    assert not [finding.line() for finding in found.values() if finding.failed]
    assert set(found) == {
        "settings",
        "database",
        "roles",
        "login",
        "row-level security",
        "schema",
        "data",
        "languages",
        "time zones",
        "consent",
        "jobs",
        "REST",
        "sign-in",
        "functions",
        "clocks",
        "webhooks",
        "model",
        "vectors",
    }


@pytest.mark.parametrize("status", ["extracted", "skipped"])
def test_doctor__counts_messages_in_a_language_that_could_not_be_read(
    db: Clone, people: People, diagnosis: Examine, status: str
) -> None:
    """Also those of earlier versions, which called them skipped."""
    ada = people.person("Ada")
    chat = people.conversation(ada)
    message = people.says(ada, chat, "Ik woon in Utrecht")
    db.run(
        "insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, reason, finished_at)"
        " values (%s, %s, %s, %s, 'language', now())",
        (chat, message, ada.user_id, status),
    )
    assert diagnosis(db)["languages"].result.startswith("1 messages of the last 7 days")


@pytest.mark.parametrize(
    "made",
    [
        "create table public.open (); grant select on public.open to authenticated",
        "insert into supabase_migrations.schema_migrations values ('29990101000000')",
    ],
)
def test_doctor__leaves_alone_what_is_the_applications(db: Clone, diagnosis: Examine, made: LiteralString) -> None:
    """A table that everybody may read, and a migration of its own."""
    db.run(made)
    assert not [finding.line() for finding in diagnosis(db).values() if finding.failed]


@pytest.mark.parametrize(
    "fault, subject, remedy",
    [
        ("alter table public.user_memory disable row level security", "row-level security", "alter table"),
        ("alter table public.messages disable row level security", "row-level security", "public.messages"),
        (FORGET_THE_NEWEST, "schema", "keepsake migrate"),
        ("revoke select on public.user_memory from service_role", "REST", "SUPABASE_SECRET_KEY"),
        (BREAK_A_COUNT, "data", "invariants.sql"),
    ],
)  # fmt: skip
def test_doctor__names_a_fault_and_what_to_do(
    db: Clone, diagnosis: Examine, fault: LiteralString, subject: str, remedy: str
) -> None:
    db.run(fault)
    found = diagnosis(db)
    assert [finding.subject for finding in found.values() if finding.failed] == [subject]
    assert remedy in found[subject].line()


def test_doctor__refuses_a_login_that_may_do_too_much(
    db: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", db.superuser_url)
    monkeypatch.setenv("SUPABASE_JWT_SECRET", JWT_SECRET)
    findings = run_checks(ProjectFolder(tmp_path), db.superuser_url, None)
    assert "login" in [finding.subject for finding in findings if finding.failed]


def test_doctor__says_which_setting_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://")
    (finding,) = run_checks(ProjectFolder(tmp_path), "postgresql://", None)
    assert finding.failed
    assert "SUPABASE_JWT_SECRET" in finding.result


def test_doctor__says_that_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/postgres"
    monkeypatch.setenv("DATABASE_URL", nowhere)
    monkeypatch.setenv("SUPABASE_JWT_SECRET", JWT_SECRET)
    findings = {finding.subject: finding for finding in run_checks(ProjectFolder(tmp_path), nowhere, None)}
    assert findings["database"].failed
    assert "DATABASE_URL" in findings["database"].remedy
