"""The attack texts of the benchmark, with new values for each seed, at every entrance; and their look-alikes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from bench.attack_in_process import ENTRANCES, by_endpoint
from bench.attack_texts import finances, harmless, read_lines, secrets
from keepsake.domain.screening.financial_amounts import is_financial_amount
from keepsake.domain.screening.prompt_injection import addresses_model, is_prompt_injection
from keepsake.domain.screening.secret_detection import find_secrets

_SEED = 2026
_SECRETS = list(secrets(_SEED, rounds=1))
_ENTRANCES = [pytest.param(entrance, id=name) for name, entrance in {**ENTRANCES, "endpoint": by_endpoint}.items()]


def test_attack_texts__are_at_least_150_of_each_class() -> None:
    assert len(_SECRETS) >= 150
    assert len(read_lines("claims")) >= 150
    assert Counter(kind for kind, _ in harmless(_SEED)).items() >= {
        "dates": 1500, "ranges": 500, "phones": 500, "numbers": 500, "coordinates": 500, "amounts": 500,
    }.items()  # fmt: skip


@pytest.mark.parametrize("entrance", _ENTRANCES)
def test_secret__is_stored_at_no_entrance_and_sent_to_no_endpoint(entrance: Callable[[str], list[str]]) -> None:
    stored = [one.text for one in _SECRETS if any(part in text for part in one.secrets for text in entrance(one.text))]
    assert stored == []


@pytest.mark.parametrize("claim", read_lines("claims"))
def test_claim_of_authority__is_recognized(claim: str) -> None:
    assert is_prompt_injection(claim) or addresses_model(claim)


@pytest.mark.parametrize("text", dict.fromkeys(attack.text for attack in finances(_SEED)))
def test_financial_amount__is_recognized(text: str) -> None:
    assert is_financial_amount(text)


def test_harmless_text__is_neither_secret_nor_instruction() -> None:
    rejected = [text for _, text in harmless(_SEED) if find_secrets(text) or is_prompt_injection(text)]
    assert rejected == []


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
