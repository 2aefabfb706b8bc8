"""The doctor says what is known of a model and of its window."""

from __future__ import annotations

import pytest

from keepsake.infra.settings import Settings
from keepsake.operations.check_model_verdict import HOW_TO_CHECK, check_model_verdict
from keepsake.operations.check_model_window import check_model_window
from tests.fixtures.db import Clone
from tests.fixtures.model import with_model
from tests.model_server.running import ModelServer


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model)


def test_verdict_of_another_prompt__does_not_count(settings: Settings, db: Clone, model: ModelServer) -> None:
    db.run(
        "insert into keepsake.model_verdicts (model, verdict, prompt_version, checked_at, figures)"
        " values (%s, 'good', 'another', now(), '{}')",
        (f"scripted at {model.url}",),
    )
    [verdict] = check_model_verdict(settings, db.owner_url)
    assert "was made with another prompt" in verdict.result
    assert verdict.remedy == HOW_TO_CHECK, "nobody tries it by itself"
    by_itself = settings.model_copy(update={"model_trial": True})
    assert "tried in the background" in next(check_model_verdict(by_itself, db.owner_url)).remedy
    [verdict] = check_model_verdict(settings.model_copy(update={"openai_extraction_verdict": "good"}), db.owner_url)
    assert (verdict.result, verdict.remedy) == ("scripted is good, as OPENAI_EXTRACTION_VERDICT says", "")


@pytest.mark.parametrize("word, failed", [("zeppelin", False), ("banana", True)])
def test_doctor__asks_for_a_word_at_the_beginning_of_a_long_prompt(
    settings: Settings, model: ModelServer, word: str, *, failed: bool
) -> None:
    model.script.then({"content": f'{{"word": "{word}"}}'})
    [finding] = check_model_window(settings, key_is_elsewhere=False)
    assert finding.failed is failed
    assert ("does not see the beginning" if failed else "reads the beginning") in finding.result
    [chat] = model.script.chats
    assert "zeppelin" in chat["messages"][0]["content"]
    assert len(chat["messages"][1]["content"]) > 20_000
