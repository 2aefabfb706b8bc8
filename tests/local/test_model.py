"""A model named on the command line is told to the functions, and the doctor tries the one that is set."""

from __future__ import annotations

import os

import pytest

from keepsake.infra.settings import Settings
from keepsake.local import doctor
from keepsake.local.surroundings import ANY_MODEL, name_model
from tests.model_server.running import ModelServer

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
    name_model(url, model)
    assert (os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_EXTRACTION_MODEL")) == told


def test_doctor__names_the_model_that_answers(model: ModelServer) -> None:
    found = doctor._model(Settings.load(**GOOD, openai_base_url=model.url, openai_extraction_model="scripted"))
    assert not found.failed
    assert model.url in found.found


def test_doctor__says_that_no_model_answers(unused_tcp_port: int) -> None:
    url = f"http://127.0.0.1:{unused_tcp_port}/v1"
    found = doctor._model(Settings.load(**GOOD, openai_base_url=url, openai_extraction_model="scripted"))
    assert found.failed
    assert "OPENAI_BASE_URL" in found.remedy


def test_doctor__without_a_model_is_content_with_rules() -> None:
    assert not doctor._model(Settings.load(**GOOD)).failed
