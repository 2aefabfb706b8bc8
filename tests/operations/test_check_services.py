"""``keepsake doctor`` tries the functions, the keys and the key set, and names the setting that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from keepsake.infra.settings import Settings
from keepsake.operations.check_services import check_services
from keepsake.operations.finding import Finding
from tests.fixtures.db import Clone
from tests.fixtures.rest import Rest
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY
from tests.http.test_deployed_alone import environment
from tests.http.test_deployed_alone import served as deployed
from tests.local.auth_server import AuthServer
from tests.rest.gateway import served

NOWHERE = "http://127.0.0.1:1"
OTHER_SECRET = "another-secret-than-that-of-the-project-0123456789"
OTHER_KEY = "sb_secret_another_one_0123456789"


@pytest.fixture
def project(rest: Rest) -> Iterator[str]:
    """The address of a project: PostgREST behind the gateway."""
    with served(rest.url) as url:
        yield url


def settings(db: Clone, project: str, **others: str) -> Settings:
    """What the operator has told the doctor."""
    told = {"supabase_jwt_secret": JWT_SECRET, "supabase_secret_key": SECRET_KEY} | others
    return Settings.load(database_url=db.api_url, supabase_url=project, **told)


def failures(settings: Settings, functions_url: str | None = None) -> list[Finding]:
    """What is wrong, in order."""
    return [finding for finding in check_services(settings, functions_url) if finding.failed]


def test_functions__are_ready_and_accept_both_keys(db: Clone, project: str, tmp_path: Path) -> None:
    with deployed("all_functions", environment(db) | {"SUPABASE_URL": project}, tmp_path / "log") as client:
        url = f"{client.base_url}/functions/v1"
        found = [finding.line() for finding in check_services(settings(db, project), url)]
        other_key = failures(settings(db, project, supabase_secret_key=OTHER_KEY), url)
        other_secret = failures(settings(db, project, supabase_jwt_secret=OTHER_SECRET), url)
    assert f"✓ functions: ready at {url}" in found
    assert "✓ sign-in: REST knows the tokens that SUPABASE_JWT_SECRET signs" in found
    assert not [line for line in found if line.startswith("✗")]
    assert [(finding.subject, "SUPABASE_SECRET_KEY" in finding.remedy) for finding in other_key] == [
        ("REST", True),
        ("functions", True),
    ]
    assert [(finding.subject, "SUPABASE_JWT_SECRET" in finding.remedy) for finding in other_secret] == [
        ("sign-in", True),
        ("functions", True),
    ]


def test_functions__that_lack_a_migration_say_so(unmigrated_copy: Clone, project: str, tmp_path: Path) -> None:
    with deployed("all_functions", environment(unmigrated_copy), tmp_path / "log") as client:
        (finding,) = failures(settings(unmigrated_copy, project), f"{client.base_url}/functions/v1")[:1]
    assert "keepsake migrate" in finding.line()


@pytest.fixture
def unmigrated_copy(db: Clone) -> Clone:
    """A database that lacks what the migrations of this release make."""
    db.run("drop function keepsake.missing_migrations(text[])")
    return db


@pytest.mark.parametrize("path", ["", "/functions/v1"])
def test_functions__that_are_not_there_are_to_be_deployed(db: Clone, project: str, path: str) -> None:
    """Nobody answers, or somebody who is not Keepsake."""
    address = f"{project}/elsewhere" if path else NOWHERE
    (finding,) = failures(settings(db, project), address)
    assert finding.subject == "functions"
    assert "FUNCTIONS_URL" in finding.remedy


def test_functions__without_an_address_are_not_looked_at(db: Clone, project: str) -> None:
    (finding,) = [one for one in check_services(settings(db, project), None) if one.subject == "functions"]
    assert (finding.failed, "FUNCTIONS_URL" in finding.remedy) == (False, True)


def test_key_set__is_fetched(db: Clone, project: str) -> None:
    legacy, signing = AuthServer(jwt_secret=JWT_SECRET), AuthServer()
    with legacy.serving(), signing.serving():
        address = f"{signing.url}/.well-known/jwks.json"
        found = list(check_services(settings(db, project, supabase_jwks_url=address), None))
        assert f"✓ key set: 1 at {address}" in [finding.line() for finding in found]
        empty = Settings.load(
            database_url=db.api_url,
            supabase_url=project,
            supabase_secret_key=SECRET_KEY,
            supabase_jwks_url=f"{legacy.url}/.well-known/jwks.json",
        )
        (finding,) = failures(empty)
        assert "SUPABASE_JWT_SECRET" in finding.remedy
        (wrong,) = failures(settings(db, project, supabase_jwks_url=f"{signing.url}/nothing"))
        assert "SUPABASE_JWKS_URL" in wrong.remedy
    (away,) = failures(settings(db, project, supabase_jwks_url=f"{NOWHERE}/jwks.json"))
    assert "SUPABASE_JWKS_URL" in away.remedy
