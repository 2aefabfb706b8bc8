"""``keepsake adopt`` refuses applications that it would damage or misread."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import Conflict
from keepsake.operations.adoption.adopt import Known, adopt
from tests.fixtures.db import Clone
from tests.operations.test_adopt import OWN_CONVERSATIONS, PEOPLE, VERCEL, run


@pytest.mark.parametrize(
    "tables, reason",
    [
        (PEOPLE + VERCEL.replace("public.lines", "public.messages"), "428C9"),
        (
            PEOPLE + OWN_CONVERSATIONS.replace("account_id", "user_id").replace("auth.users (id)", "members (id)"),
            "refers to",
        ),
        (PEOPLE + OWN_CONVERSATIONS.replace("subject", "deleted_at timestamptz, subject"), "conversations.deleted_at"),
        (PEOPLE + OWN_CONVERSATIONS.replace("subject text", "mode integer"), "conversations.mode is integer"),
    ],
)
def test_application_that_would_break__is_refused_before_anything_is_written(
    unmigrated_db: Clone, tmp_path: Path, tables: str, reason: str
) -> None:
    """Computed columns, owners that are no accounts, rows marked as deleted in tables that serve as Keepsake's."""
    run(unmigrated_db, "create table public.members (id uuid primary key, email text)")
    run(unmigrated_db, tables)
    for folder in (None, tmp_path):
        with pytest.raises(Conflict, match=reason) as refused:
            adopt(unmigrated_db.owner_url, Known(), folder, print)
        assert "long way" in (refused.value.hint or "")
    assert list(tmp_path.iterdir()) == []


def test_people_of_another_sign_in__are_named_and_added_only_when_the_operator_says_so(
    unmigrated_db: Clone, tmp_path: Path
) -> None:
    run(unmigrated_db, "create table public.members (id uuid primary key, email text)")
    run(unmigrated_db, PEOPLE + VERCEL.replace("public.profiles (id)", "public.members (id)"))
    said: list[str] = []
    with pytest.raises(Conflict, match=r"refers to public\.members\.id.*sign in elsewhere") as refused:
        adopt(unmigrated_db.owner_url, Known(), tmp_path, said.append)
    assert "--people auth.users" in (refused.value.hint or "")
    assert "of another sign-in, in public.members" in "\n".join(said)
    assert list(tmp_path.iterdir()) == []
