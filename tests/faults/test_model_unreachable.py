"""An endpoint that cannot be reached, or a model that is named for its fault: the turn waits, within the deadline."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

import pytest

from keepsake.infra.settings import Settings
from tests.faults.asking import FOUND, Asking, assert_nothing_leaks
from tests.fixtures.model import with_model
from tests.model_server.running import ModelServer

DEADLINE = 1.0
SLACK = 30.0

UNREACHABLE = {
    "closed-port": "http://127.0.0.1:1/v1",
    "unknown-host": "http://model.invalid/v1",
    "no-route": "http://240.0.0.1/v1",
    "no-tls": "https://127.0.0.1:{port}/v1",
}


@pytest.fixture
def named() -> str:
    """The model that the settings name."""
    return "scripted"


@pytest.fixture
def url() -> str:
    """Where the settings say it is, if not where it is."""
    return "http://127.0.0.1:{port}/v1"


@pytest.fixture
def settings(settings: Settings, model: ModelServer, url: str, named: str) -> Settings:
    given = url.format(port=urlsplit(model.url).port)
    return with_model(
        settings, model, openai_base_url=given, openai_extraction_model=named, model_deadline_seconds=DEADLINE
    )


@pytest.mark.parametrize("url", UNREACHABLE.values(), ids=UNREACHABLE.keys())
async def test_unreachable__the_turn_waits(asking: Asking, capfd: pytest.CaptureFixture[str], url: str) -> None:
    began = time.monotonic()
    asked = await asking.about()
    assert time.monotonic() - began <= DEADLINE + SLACK, url
    asking.assert_waiting(asked)
    assert asking.script.chats == []
    assert_nothing_leaks(asked, capfd)


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}", "http://127.0.0.1:{port}/v1/"])
async def test_reachable__however_the_url_ends(asking: Asking, url: str) -> None:
    asking.assert_read_by("llm", await asking.about(), FOUND)
    assert url


@pytest.mark.parametrize("named", ["fault:error_503", "fault:unauthorized", "fault:reset"])
async def test_named_for_a_fault__the_turn_waits(asking: Asking, named: str) -> None:
    """As one watches it by hand: `keepsake up --model-url … --model fault:error_503`."""
    asking.assert_waiting(await asking.about())
    assert {chat["model"] for chat in asking.script.chats} == {named}


@pytest.mark.parametrize("named", ["fault:refusal", "fault:only_bad", "fault:content_filter", "fault:filtered_request"])
async def test_named_for_a_fault__the_turn_is_finished(asking: Asking, named: str) -> None:
    asking.assert_read_by("llm", await asking.about())
    assert [chat["model"] for chat in asking.script.chats] == [named]
