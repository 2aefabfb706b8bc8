"""A local project's keys are made once, kept closed, and stand for what Supabase's would."""

from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import jwt
import pytest

from keepsake.infra.settings import Settings
from keepsake.operations.environment import functions_environment
from keepsake.project.folder import RunningStack
from keepsake.project.keys import Keys, person_token


def test_keys__are_made_once_and_only_their_owner_may_read_them(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    made = Keys.load_or_create(file)
    assert Keys.load_or_create(file) == made
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_keys__of_two_projects_share_nothing() -> None:
    one, other = Keys.create(), Keys.create()
    assert all(getattr(one, name) != getattr(other, name) for name in Keys.__slots__)


@pytest.mark.parametrize("role", ["anon", "service_role"])
def test_keys__are_tokens_of_their_role_for_nobody_in_particular(role: str) -> None:
    keys = Keys.create()
    key = {"anon": keys.anon_key, "service_role": keys.service_role_key}[role]
    claims = jwt.decode(key, keys.jwt_secret, algorithms=["HS256"])
    assert (claims["role"], claims["iss"]) == (role, "supabase")
    assert not {"sub", "aud"} & set(claims)


def test_keys__are_settings_that_the_functions_accept(monkeypatch: pytest.MonkeyPatch) -> None:
    running = RunningStack(1, "http://127.0.0.1:54321", "postgresql://owner@/db", "postgresql://api@/db", embedded=True)
    for name, value in functions_environment(running, Keys.create()).items():
        monkeypatch.setenv(name, value)
    assert Settings.load().issuer == "http://127.0.0.1:54321/auth/v1"


def test_person_token__says_what_supabase_auth_would(tmp_path: Path) -> None:
    keys, ada = Keys.create(), uuid4()
    token = person_token(
        ada, "ada@example.com", jwt_secret=keys.jwt_secret, api_url="http://h", lifetime=timedelta(hours=5)
    )
    claims = jwt.decode(
        token, keys.jwt_secret, algorithms=["HS256"], audience="authenticated", issuer="http://h/auth/v1"
    )
    assert (claims["sub"], claims["role"], claims["email"]) == (str(ada), "authenticated", "ada@example.com")
    assert claims["exp"] - claims["iat"] == 5 * 3600
