"""What ``keepsake doctor`` says of unread messages, of unknown time zones, and of data that it could not look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.operations.doctor import check_data, check_languages, check_timezones, run_checks
from keepsake.operations.migrate import migrate
from keepsake.project.folder import ProjectFolder
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.tokens import JWT_SECRET
from tests.operations.test_adopt import OWN_CONVERSATIONS, PEOPLE, run


def test_check_languages__says_how_many_and_what_to_do() -> None:
    finding = check_languages(3)
    assert finding.result.startswith("3 messages")
    assert "OPENAI_EXTRACTION_MODEL" in finding.remedy
    assert not finding.failed


def test_check_languages__without_such_messages_there_is_nothing_to_do() -> None:
    assert check_languages(0).remedy == ""


def test_check_data__counts_the_profiles_whose_time_zone_nobody_knows(people: People, db: Clone) -> None:
    for timezone in ("Mars/Base", "Mars/Base", "Mars/Port", "Europe/Berlin"):
        person = people.person("Ada")
        with db.as_superuser() as connection:
            update = "update public.user_profile_list set timezone = %s where id = %s"
            connection.execute(update, (timezone, person.profile_id))
    finding = next(one for one in check_data(db.owner_url, everybody=True) if one.subject == "time zones")
    assert finding.result == "unknown in 3 profiles, for which UTC counts"
    assert "Europe/Berlin" in finding.remedy
    assert "Mars" not in finding.line()
    assert not finding.failed


def test_check_timezones__of_known_ones_there_is_nothing_to_do() -> None:
    assert check_timezones({"Europe/Berlin": 2, "UTC": 1}).remedy == ""


def test_check_data__says_why_it_did_not_look_and_what_helps(db: Clone, blank_db: Clone) -> None:
    in_a_hurry = f"{db.owner_url}&options=-c%20statement_timeout%3D1"
    (cut_short,) = check_data(in_a_hurry, everybody=True)
    assert "statement timeout" in cut_short.result
    assert "statement_timeout" in cut_short.remedy
    (unmigrated,) = check_data(blank_db.owner_url, everybody=True)
    assert "does not exist" in unmigrated.result
    assert "keepsake migrate" in unmigrated.remedy


def test_run_checks__leaves_the_row_security_of_the_applications_tables_to_it(
    host_db: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of those with names of Keepsake's, which nothing of Keepsake shows to anybody."""
    url = host_db.superuser_url
    monkeypatch.setenv("DATABASE_URL", url)  # which run_checks sets, and nothing takes back
    monkeypatch.setenv("SUPABASE_JWT_SECRET", JWT_SECRET)
    run(host_db, PEOPLE + OWN_CONVERSATIONS + "grant select on public.conversations to authenticated;")
    migrate(host_db.owner_url)
    run(host_db, "create table public.user_memory_notes (note text)")

    def look() -> str:
        findings = run_checks(ProjectFolder(tmp_path), url, None)
        return next(one.result for one in findings if one.subject == "row-level security")

    assert look() == "on for memories, conversations and messages"
    for table in ("user_memory_todos", "user_profile_list"):
        host_db.run(f"alter table public.{table} disable row level security")
    assert look() == "off on user_memory_todos, user_profile_list"
