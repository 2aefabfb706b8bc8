"""Where a stack has Supabase Auth and a language model, people sign in with their account and read streamed answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from keepsake.local.stack import background
from keepsake.operations.local_users import find_user
from keepsake.project.folder import ProjectFolder
from tests.browser.visit import Visit
from tests.local.auth_server import CODE, PASSWORD, PUBLISHABLE_KEY, AuthServer
from tests.model_server.running import ModelServer

SECRET = "a legacy secret of a project, long enough"
ADA, BEA, CARA = "ada@example.com", "bea@example.com", "cara@example.com"
_PROFILES = re.compile(r"/rest/v1/rpc/memory_profiles")
WORDS = [f"word{number}" for number in range(40)]


@pytest.fixture(scope="module")
def auth() -> Iterator[AuthServer]:
    """An Auth service that signs with the project's legacy secret."""
    server = AuthServer(jwt_secret=SECRET)
    with server.serving():
        yield server


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    """A model that finds memories, and whose answers in a chat stop after three words until they are released."""
    with ModelServer() as server:
        server.script.streamed = {"content": " ".join(WORDS), "hold_after": 3}
        yield server


@pytest.fixture(scope="module")
def project_with_auth(browser: Browser, auth: AuthServer, model: ModelServer) -> Iterator[ProjectFolder]:
    """A running stack whose people sign in with Supabase Auth."""
    settings = {"SUPABASE_PUBLISHABLE_KEY": PUBLISHABLE_KEY, "SUPABASE_JWT_SECRET": SECRET}
    settings |= {"OPENAI_BASE_URL": model.url, "OPENAI_EXTRACTION_MODEL": "scripted", "MODEL_TRIAL": "false"}
    with TemporaryDirectory(prefix="keepsake-auth-") as folder, pytest.MonkeyPatch.context() as environment:
        for name, value in settings.items():
            environment.setenv(name, value)
        project = ProjectFolder(Path(folder) / "data")
        running = background.start(project, port=0, auth_url=auth.url)
        auth.find_user = lambda email: find_user(running.db_url, email, create=True)[0]
        yield project
        background.stop(project)


@pytest.fixture(scope="module")
def ada(browser: Browser, project_with_auth: ProjectFolder) -> Iterator[Visit]:
    """Ada before the form, who signs in with her password."""
    visit = Visit(browser, project_with_auth.running_or_raise().api_url)
    visit.page.goto(visit.url)
    visit.page.get_by_label("E-mail").fill(ADA)
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.screenshot("sign-in")
    assert visit.violations() == []
    visit.page.get_by_role("button", name="Sign in").click()
    _agree(visit.page, "Ada")
    yield visit
    visit.close()


def _agree(page: Page, name: str, button: str = "All right") -> None:
    """Wait until somebody is signed in, and answer the onboarding."""
    page.get_by_role("heading", name=f"Hello {name}").wait_for()
    agree = page.get_by_role("button", name=button)
    agree.click()
    agree.wait_for(state="detached")


def test_answer__of_a_model_is_shown_while_it_is_made(ada: Visit, model: ModelServer) -> None:
    page = ada.page
    field = page.get_by_label("Write a message")
    field.fill("My favorite food is ramen.")
    field.press("Enter")
    log = page.get_by_role("log")
    expect(log).to_contain_text(WORDS[2])
    assert WORDS[-1] not in log.inner_text()
    ada.screenshot("streaming")
    model.script.released.set()
    expect(log).to_have_attribute("aria-busy", "false")
    expect(log).to_contain_text(" ".join(WORDS))
    expect(ada.memory("ramen")).to_be_visible()


def test_model__is_told_what_is_remembered(ada: Visit, model: ModelServer) -> None:
    ada.say("What should I cook tonight?")
    (asked,) = (chat for chat in model.script.chats if chat.get("stream") and "cook" in str(chat["messages"][-1]))
    assert "ramen" in asked["messages"][0]["content"]
    expect(ada.page.get_by_role("button", name="in the memory panel").last).to_be_visible()


def test_session__outlives_the_page_and_ends_when_one_leaves(ada: Visit) -> None:
    page = ada.page
    page.reload()
    expect(ada.memory("ramen")).to_be_visible()
    page.get_by_role("button", name="Switch person").click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Password")).to_be_visible()
    assert ada.errors == []


def test_code__by_email_signs_another_person_in_who_sees_nothing_of_the_first(ada: Visit, auth: AuthServer) -> None:
    page = ada.page
    page.get_by_label("E-mail").fill(BEA)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("status").filter(has_text=BEA)).to_be_visible()
    assert auth.mailed == [BEA]
    page.get_by_label("Code", exact=True).fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text(
        "This code is wrong or too old. Enter the newest one, or get another."
    )
    ada.screenshot("sign-in-code")
    page.get_by_label("Code", exact=True).fill(CODE)
    page.get_by_role("button", name="Sign in").click()
    _agree(page, "Bea", "Open the settings")
    expect(page.get_by_role("switch", name="Build memory")).to_be_visible()
    assert "ramen" not in page.content()
    page.get_by_role("button", name="Switch person").click()


def test_traffic__holds_no_key_of_a_service(ada: Visit, project_with_auth: ProjectFolder) -> None:
    keys = project_with_auth.keys()
    secrets = (SECRET, keys.secret_key, keys.with_jwt_secret(SECRET).service_role_key, keys.webhook_secret)
    assert len(ada.sent) > 20
    assert not [line for line in ada.sent if any(secret in line for secret in secrets)]


def test_first_message__is_remembered_however_early_it_is_sent(
    browser: Browser, project_with_auth: ProjectFolder, model: ModelServer
) -> None:
    """Also before the page has read the profiles: a chat that began without one remembered nothing."""
    visit = Visit(browser, project_with_auth.running_or_raise().api_url)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visit.page.route(_PROFILES, hold)
    visit.page.goto(visit.url)
    visit.page.get_by_label("E-mail").fill(CARA)
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.page.get_by_role("button", name="Sign in").click()
    _agree(visit.page, "Cara")
    model.script.released.set()
    field = visit.page.get_by_label("Write a message")
    field.fill("My favorite food is ramen.")
    with visit.page.expect_request(lambda sent: sent.method == "POST" and "/rest/v1/conversations" in sent.url):
        field.press("Enter")
    assert held
    visit.page.unroute(_PROFILES)  # which lets the held ones go on
    expect(visit.memory("ramen")).to_be_visible()
    visit.close()
