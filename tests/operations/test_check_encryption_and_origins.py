"""`keepsake doctor` warns of what travels without encryption, and of origins without limit."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from keepsake.operations.check_encryption_and_origins import check_exposure
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY

HOSTED = "https://abc.supabase.co"
REMOTE = "postgresql://keepsake_api:secret@db.abc.supabase.co:5432/postgres"


def warned(owner_url: str | None = None, **more: str) -> set[str]:
    """What doctor warns of, by subject; nothing of it is a failure."""
    settings = Settings.load(
        **{
            "database_url": f"{REMOTE}?sslmode=verify-full",
            "supabase_url": HOSTED,
            "supabase_jwt_secret": JWT_SECRET,
            "supabase_secret_key": SECRET_KEY,
            "cors_origins": "https://app.example",
        }
        | more
    )
    found = check_exposure(settings, owner_url)
    assert all(one.remedy and not one.failed for one in found)
    assert "secret@" not in "".join(one.line() for one in found)
    return {one.subject for one in found}


def test_a_good_deployment__is_warned_of_nothing() -> None:
    assert warned(f"{REMOTE}?sslmode=require", supabase_jwks_url=f"{HOSTED}/auth/v1/.well-known/jwks.json") == set()


@pytest.mark.parametrize(
    "url",
    ["http://abc.supabase.co/keys", "http://10.0.0.5:8000/keys", "HTTP://abc.example/keys", "http://[2001:db8::1]/k"],
)
def test_a_key_set_over_http__is_warned_of(url: str) -> None:
    assert warned(supabase_jwks_url=url) == {"key set"}


@pytest.mark.parametrize("url", ["http://127.0.0.1:54321/keys", "http://localhost/keys", "http://[::1]:9/keys"])
def test_a_key_set_of_this_machine__is_not(url: str) -> None:
    assert warned(supabase_jwks_url=url) == set()


@pytest.mark.parametrize("mode", ["", "?sslmode=disable", "?sslmode=allow", "?sslmode=prefer"])
def test_a_remote_database_without_tls__is_warned_of(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGSSLMODE", raising=False)
    assert warned(database_url=REMOTE + mode) == {"encryption"}
    assert warned(REMOTE + mode) == {"encryption"}
    assert warned(database_url=f"postgresql://keepsake_api@localhost,10.0.0.5/postgres{mode}") == {"encryption"}


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://keepsake_api@localhost/postgres",
        "postgresql://keepsake_api@127.0.0.1:54322/postgres",
        "postgresql://keepsake_api@/postgres?host=/run/postgresql",
    ],
)
def test_a_database_of_this_machine__is_not(url: str) -> None:
    assert warned(url, database_url=url) == set()


def test_pgsslmode__counts_as_libpq_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGSSLMODE", "verify-full")
    assert warned(database_url=REMOTE) == set()


def test_all_origins__are_warned_of_where_the_project_is_hosted() -> None:
    assert warned(cors_origins="*") == {"origins"}
    assert warned(cors_origins="https://app.example, *") == {"origins"}
    assert warned(cors_origins="*", supabase_url="http://127.0.0.1:54321") == set()
