"""A model named on the command line is told to the functions, and the doctor tries the one that is set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from keepsake.errors import MisconfiguredError
from keepsake.infra.settings import Settings
from keepsake.operations.check_model_endpoint import check_model_endpoint
from keepsake.operations.check_model_window import check_model_window
from keepsake.operations.environment import (
    ANY_MODEL,
    OPENAI_URL,
    load_environment,
    public_settings,
    set_model_env,
    stack_environment,
)
from keepsake.project.folder import ProjectFolder, RunningStack
from tests.model_server.running import ModelServer
from tests.rest.gateway import KEYS

GOOD = {"database_url": "postgresql://h/d", "supabase_jwt_secret": "s" * 32}


@pytest.mark.parametrize(
    "before, url, model, told",
    [
        (None, "http://m/v1", None, ("http://m/v1", ANY_MODEL)),
        (None, "http://m/v1", "llama3.1", ("http://m/v1", "llama3.1")),
        ("mine", "http://m/v1", None, ("http://m/v1", "mine")),
        ("mine", None, "other", (None, "other")),
        ("mine", None, None, (None, "mine")),
        (None, None, None, (None, None)),
    ],
)
def test_model__is_told_by_the_settings_names(
    monkeypatch: pytest.MonkeyPatch,
    before: str | None,
    url: str | None,
    model: str | None,
    told: tuple[str | None, str | None],
) -> None:
    """What the command does not name stays as the environment has it."""
    monkeypatch.setattr(os, "environ", {"OPENAI_EXTRACTION_MODEL": before} if before else {})
    set_model_env(url, model, "meaning")
    assert os.environ["OPENAI_EMBEDDING_MODEL"] == "meaning"
    assert (os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_EXTRACTION_MODEL")) == told


def test_doctor__names_the_model_that_answers(model: ModelServer) -> None:
    finding = check_model_endpoint(Settings.load(**GOOD, openai_base_url=model.url, openai_extraction_model="scripted"))
    assert not finding.failed
    assert model.url in finding.result


@pytest.mark.parametrize("fault", ["quota", "no_such_model", "error_500"])
def test_doctor__names_a_model_that_lists_but_does_not_complete(model: ModelServer, fault: str) -> None:
    model.script.always(fault)
    finding = check_model_endpoint(Settings.load(**GOOD, openai_base_url=model.url, openai_extraction_model="scripted"))
    assert finding.failed
    assert "does not complete" in finding.result


@pytest.mark.parametrize("reply, failed", [("It is zeppelin.", False), ("There is no secret word here.", True)])
def test_doctor__asks_for_the_beginning_of_the_longest_prompt(model: ModelServer, reply: str, *, failed: bool) -> None:
    """A server that drops the oldest of what it is sent answers as if nothing were missing."""
    model.script.always({"content": reply})
    settings = Settings.load(
        **GOOD, openai_base_url=model.url, openai_extraction_model="scripted", model_window_tokens=4096
    )
    (finding,) = check_model_window(settings, key_is_elsewhere=False)
    assert finding.failed == failed
    first, last = model.script.chats[-1]["messages"]
    assert "zeppelin" in first["content"]
    assert "zeppelin" not in last["content"]
    assert len(last["content"]) > 3 * (4096 - settings.model_output_tokens)


def test_doctor__tries_a_model_that_only_writes_summaries(model: ModelServer) -> None:
    given = {"openai_summary_model": "scripted", "openai_summary_models": "week=fault:no_such_model"}
    finding = check_model_endpoint(Settings.load(**GOOD, openai_base_url=model.url, **given))
    assert finding.failed
    assert "fault:no_such_model does not complete (404)" in finding.result


def test_doctor__names_a_model_that_comes_to_no_end(model: ModelServer) -> None:
    """One that thinks before it answers may use up the tokens of a reply, and no message would be read by it."""
    model.script.always("length")
    finding = check_model_endpoint(Settings.load(**GOOD, openai_base_url=model.url, openai_extraction_model="scripted"))
    assert finding.failed
    assert "MODEL_OUTPUT_TOKENS" in finding.remedy


def test_doctor__says_that_no_model_answers(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    finding = check_model_endpoint(Settings.load(**GOOD, openai_base_url=url, openai_extraction_model="scripted"))
    assert finding.failed
    assert "OPENAI_BASE_URL" in finding.remedy


def test_doctor__without_a_model_is_content_with_rules() -> None:
    assert not check_model_endpoint(Settings.load(**GOOD)).failed


@pytest.mark.parametrize("elsewhere, failed", [(True, False), (False, True)])
def test_doctor__does_not_call_a_key_wrong_that_only_the_stack_has(*, elsewhere: bool, failed: bool) -> None:
    with _closed() as url:
        settings = Settings.load(**GOOD, openai_base_url=url, openai_extraction_model="theirs")
        finding = check_model_endpoint(settings, key_is_elsewhere=elsewhere)
    assert finding.failed == failed
    assert "OPENAI_API_KEY" in finding.remedy


def test_doctor__reads_every_setting_as_the_stack_has_it() -> None:
    """What only the reader's environment has is emptied; of the stack's secrets none is kept."""
    told = {"OPENAI_EXTRACTION_MODEL": "theirs", "OPENAI_API_KEY": "sk-secret", "HOME": "/home/ada"}
    kept = public_settings(told)
    assert kept == {"OPENAI_EXTRACTION_MODEL": "theirs"}
    running = RunningStack(
        1, "http://a", "postgresql://o@h/d", "postgresql://f@h/d", embedded=True, settings=kept, has_model_key=True
    )
    found = stack_environment(running, KEYS)
    assert found["OPENAI_EXTRACTION_MODEL"] == "theirs"
    assert found["OPENAI_BASE_URL"] == OPENAI_URL
    assert found["SUPABASE_JWKS"] == ""
    assert "OPENAI_API_KEY" not in found


STARTED_WITH = {"OPENAI_EXTRACTION_MODEL": "theirs", "OPENAI_BASE_URL": "http://m/v1", "EMBEDDING": "local"}


@contextmanager
def _running(folder: Path, **state: Any) -> Iterator[ProjectFolder]:
    """A project whose stack was started with a model."""
    project = ProjectFolder(folder)
    with project.exclusive():
        project.write_state(
            RunningStack(
                1, "http://a", "postgresql://o@h/d", "postgresql://f@h/d", embedded=True, settings=STARTED_WITH, **state
            )
        )
        yield project


def test_worker__beside_a_stack_with_a_model_reads_with_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "environ", {})
    with _running(tmp_path) as project:
        load_environment(project, None)
    settings = Settings.load()
    assert (settings.openai_extraction_model, settings.openai_base_url, settings.embedding) == (
        "theirs", "http://m/v1", "local",
    )  # fmt: skip


def test_worker__without_the_key_of_the_stack_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "environ", {})
    with _running(tmp_path, has_model_key=True) as project:
        with pytest.raises(MisconfiguredError) as refused:
            load_environment(project, None)
        assert "OPENAI_API_KEY" in str(refused.value.hint)
        os.environ["OPENAI_API_KEY"] = "sk-x"
        load_environment(project, None)
    assert os.environ["OPENAI_EXTRACTION_MODEL"] == "theirs"


@contextmanager
def _closed() -> Iterator[str]:
    """An endpoint that lets nobody in."""

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(401)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Refusing) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            serving.join()
