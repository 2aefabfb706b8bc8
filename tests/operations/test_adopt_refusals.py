"""``keepsake adopt`` asks before it adds people to Supabase Auth."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import Conflict
from keepsake.operations.adoption.adopt import adopt
from keepsake.operations.adoption.known import Known
from tests.fixtures.db import Clone
from tests.operations.test_adopt import PEOPLE, VERCEL, run


def test_people_of_another_sign_in__are_named_and_added_only_when_the_operator_says_so(
    host_db: Clone, tmp_path: Path
) -> None:
    run(host_db, "create table public.members (id uuid primary key, email text)")
    run(host_db, PEOPLE + VERCEL.replace("public.profiles (id)", "public.members (id)"))
    said: list[str] = []
    with pytest.raises(Conflict, match=r"refers to public\.members\.id.*sign in elsewhere") as refused:
        adopt(host_db.owner_url, Known(), tmp_path, said.append)
    assert "--people auth.users" in (refused.value.hint or "")
    assert "of another sign-in, in public.members" in "\n".join(said)
    assert list(tmp_path.iterdir()) == []
