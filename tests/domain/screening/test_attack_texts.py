"""The attack texts of the benchmark, with new values for each seed, at every entrance; and their look-alikes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bench.attack.in_process import ENTRANCES, NAME_ENTRANCES, by_endpoint, by_import
from bench.attack.text_sets import attack_classes, harmless, read_lines
from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.screening.sensitive_topics import is_financial_amount

_SEED = 2026
_MAX_SHARE = 0.01
_CLASSES = attack_classes(_SEED, rounds=1)
_SECRETS = [text for kind, texts in _CLASSES.items() if kind.startswith("secrets") for text in texts]
_CLAIMS = [text.text for kind, texts in _CLASSES.items() if kind.startswith("instructions") for text in texts]
_AMOUNTS = [text.text for text in _CLASSES["financial amounts"]]
_ENTRANCES = [pytest.param(entrance, id=name) for name, entrance in ENTRANCES.items()]
_NAME_ENTRANCES = [pytest.param(entrance, id=name) for name, entrance in NAME_ENTRANCES.items()]

Entrance = Callable[[str], list[str]]


def test_attack_texts__are_at_least_150_of_each_class() -> None:
    assert {kind: len(texts) for kind, texts in _CLASSES.items() if len(texts) < 150} == {}
    assert len(read_lines("labels")) >= 150
    assert Counter(kind for kind, _ in harmless(_SEED)).items() >= {
        "dates": 1500, "ranges": 500, "phones": 500, "numbers": 500, "coordinates": 500, "amounts": 500,
    }.items()  # fmt: skip


@pytest.mark.parametrize("entrance", [*_ENTRANCES, pytest.param(by_endpoint, id="endpoint")])
def test_secret__is_stored_at_no_entrance_and_sent_to_no_endpoint(entrance: Entrance) -> None:
    stored = [one.text for one in _SECRETS if any(part in text for part in one.secrets for text in entrance(one.text))]
    assert len(stored) <= _MAX_SHARE * len(_SECRETS), stored


@pytest.mark.parametrize("entrance", _ENTRANCES)
def test_claim__is_stored_at_no_entrance(entrance: Entrance) -> None:
    stored = [claim for claim in _CLAIMS if entrance(claim)]
    assert len(stored) <= _MAX_SHARE * len(_CLAIMS), stored


@pytest.mark.parametrize("entrance", _NAME_ENTRANCES)
def test_foreign_name__is_stored_and_shown_nowhere(entrance: Entrance) -> None:
    names = read_lines("labels")
    stored = [name for name in names if entrance(name)]
    assert len(stored) <= _MAX_SHARE * len(names), stored


@pytest.mark.parametrize("entrance", _ENTRANCES)
def test_financial_amount__is_stored_at_no_entrance(entrance: Entrance) -> None:
    stored = [text for text in _AMOUNTS if entrance(text)]
    assert len(stored) <= 2 * _MAX_SHARE * len(_AMOUNTS), stored


@pytest.mark.parametrize("text", dict.fromkeys(_AMOUNTS))
def test_financial_amount__is_recognized(text: str) -> None:
    assert is_financial_amount(text)


def test_harmless_text__is_imported() -> None:
    texts = [text for _, text in harmless(_SEED)]
    rejected = [text for text in texts if not by_import(text)]
    assert len(rejected) <= _MAX_SHARE * len(texts), rejected


def test_harmless_text__is_neither_secret_nor_instruction() -> None:
    texts = [text for _, text in harmless(_SEED)]
    rejected = [text for text in texts if find_secrets(text) or is_prompt_injection(text)]
    assert len(rejected) <= _MAX_SHARE * len(texts), rejected


@pytest.mark.parametrize("text", ["My code:\n```\nprint(1)\n```", "```python\nx = 1\n```"])
def test_code_fence__is_no_instruction(text: str) -> None:
    assert not is_prompt_injection(text)


@pytest.mark.parametrize(
    "text",
    [
        "Loves the film about Cyrillic о and Latin o",
        "Heißt Jürgen und mag Käse",
        "Любит чай с лимоном",
        "喜欢在公园散步",
    ],
)
def test_other_scripts__are_not_rejected_for_being_other_scripts(text: str) -> None:
    assert not find_secrets(text)
    assert not is_prompt_injection(text)
