"""People of a Supabase project sign in on the chat page by its Auth, whose tokens REST and the functions accept."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from keepsake.errors import MisconfiguredError
from keepsake.local.stack import background
from keepsake.local.stack.external_auth import SupabaseAuth
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder
from keepsake.project.keys import Keys
from tests.local.auth_server import PASSWORD, PUBLISHABLE_KEY, AuthServer

SECRET = "a legacy secret of a project, long enough"
EMAIL = "ada@example.com"


@pytest.fixture(scope="module")
def auth() -> Iterator[AuthServer]:
    """An Auth service that signs with a key of its own, as new Supabase projects do."""
    server = AuthServer()
    with server.serving():
        yield server


@pytest.fixture(scope="module")
def project(auth: AuthServer) -> Iterator[ProjectFolder]:
    """A stack whose people sign in there."""
    with TemporaryDirectory(prefix="keepsake-auth-") as folder, pytest.MonkeyPatch.context() as environment:
        environment.setenv("SUPABASE_PUBLISHABLE_KEY", PUBLISHABLE_KEY)
        project = ProjectFolder(Path(folder) / "data")
        running = background.start(project, port=0, auth_url=auth.url)
        auth.find_user = lambda email: find_user(running.db_url, email, create=True)[0]
        yield project
        background.stop(project)


@pytest.fixture
def page(project: ProjectFolder) -> Iterator[httpx.Client]:
    """A client at the stack's root with the publishable key that the page is told."""
    with httpx.Client(base_url=project.running_or_raise().api_url, timeout=60) as client:
        client.headers["apikey"] = client.get("/chat/setup").json()["publishable_key"]
        yield client


def _sign_in(page: httpx.Client, password: str = PASSWORD) -> httpx.Response:
    return page.post("/auth/v1/token?grant_type=password", json={"email": EMAIL, "password": password})


def test_setup__names_supabase_auth_and_no_demo_people(page: httpx.Client) -> None:
    setup = page.get("/chat/setup").json()
    assert (setup["has_auth"], setup["people"]) == (True, [])
    assert page.post("/chat/sign-in", json={"email": "nora@example.com"}).status_code == 404


def test_token__of_supabase_auth_is_accepted_by_rest_and_by_the_functions(page: httpx.Client) -> None:
    session = _sign_in(page).json()
    page.headers["authorization"] = f"Bearer {session['access_token']}"
    profile = {"user_id": session["user"]["id"], "name": "Ada", "is_primary": True}
    assert page.post("/rest/v1/user_profile_list", json=profile).status_code == 201
    assert [row["name"] for row in page.get("/rest/v1/user_profile_list").json()] == ["Ada"]
    assert page.post("/functions/v1/export-memories", json={}).json()["complete"] is True


def test_keys__of_the_stack_itself_stay_valid(page: httpx.Client, project: ProjectFolder) -> None:
    key = project.keys().secret_key
    assert page.get("/rest/v1/user_profile_list", headers={"apikey": key}).status_code == 200
    assert page.post("/functions/v1/run-due-jobs", json={}, headers={"apikey": key}).status_code == 200


def test_token__by_which_keepsake_itself_would_sign_in_is_refused(project: ProjectFolder) -> None:
    command = [sys.executable, "-m", "keepsake.cli", "token", "--user", EMAIL, "--data", str(project.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "/auth/v1" in done.stderr


def test_proxy__passes_refusals_on_and_no_large_body(page: httpx.Client) -> None:
    refused = _sign_in(page, "wrong")
    assert (refused.status_code, refused.json()["error_code"]) == (400, "invalid_credentials")
    assert _sign_in(page, "x" * 100_000).status_code == 413
    assert page.get("/auth/v1/nothing").status_code == 404


def test_auth__is_refused_where_nothing_answers_as_it(auth: AuthServer) -> None:
    with pytest.raises(MisconfiguredError, match="does not answer"):
        SupabaseAuth.load(f"{auth.url}/nowhere", {"SUPABASE_PUBLISHABLE_KEY": PUBLISHABLE_KEY})


def test_auth__needs_a_publishable_key_and_something_that_verifies(auth: AuthServer) -> None:
    with pytest.raises(MisconfiguredError, match="PUBLISHABLE"):
        SupabaseAuth.load(auth.url, {})
    legacy = AuthServer(jwt_secret=SECRET)
    with legacy.serving(), pytest.raises(MisconfiguredError, match="SUPABASE_JWT_SECRET"):
        SupabaseAuth.load(legacy.url, {"SUPABASE_PUBLISHABLE_KEY": PUBLISHABLE_KEY})


def test_legacy_secret__signs_the_service_key_too(auth: AuthServer) -> None:
    environment = {"SUPABASE_PUBLISHABLE_KEY": PUBLISHABLE_KEY, "SUPABASE_JWT_SECRET": SECRET}
    both, legacy = SupabaseAuth.load(auth.url, environment), AuthServer(jwt_secret=SECRET)
    own = Keys.create()
    keys = both.replace_secret(own)
    assert (keys.jwt_secret, keys.secret_key) == (SECRET, own.secret_key)
    assert keys.service_role_key != own.service_role_key
    assert [key["kty"] for key in json.loads(both.verification_key(keys))["keys"]] == ["oct", "EC"]
    with legacy.serving():
        assert SupabaseAuth.load(legacy.url, environment).verification_key(keys) == SECRET
