"""Sentences that tell a secret are recognized by their words and the shapes of their values, without a pattern."""

from __future__ import annotations

import pytest

from bench.attack.text_sets import read_lines
from keepsake.domain.screening.screen import rejection_of_name, rejection_of_text
from keepsake.domain.screening.secret_detection import DISCLOSURE, Secret, find_secrets
from keepsake.domain.screening.sentence_scores import secret_features, secret_score


@pytest.mark.parametrize(
    "sentence",
    [
        "Grandma's safe: left to 31, right to 8, left to 77.",
        "The alarm company asks for a codeword and we say 'buttercup'.",
        "For the storage unit: star, 5, 8, 8, 1, star.",
        'Her PayPal is guarded by "Nan\'s scones 1952".',
        "A senha do cartão dela é 4 7 1 0.",
    ],
)
def test_secret__is_recognized_without_a_pattern(sentence: str) -> None:
    assert find_secrets(sentence) == (Secret(DISCLOSURE, 0, len(sentence)),)
    assert rejection_of_text(sentence) == "secret"


def test_disclosure__is_the_sentence_and_not_its_neighbors() -> None:
    secret = "The alarm company asks for a codeword and we say 'buttercup'"
    before, after = "I live in Lisbon with my wife and two dogs. " * 4, ". We went to the sea on Sunday." * 4
    text = f"{before}{secret}{after}"
    (found,) = find_secrets(text)
    assert text[found.start : found.end] == secret


@pytest.mark.parametrize("name", ["personal_sixth", "ordinary_quotes", "ordinary_technical", "ordinary_requests"])
def test_statement_about_a_life__tells_no_secret(name: str) -> None:
    texts = read_lines(name)
    rejected = [text for text in texts if find_secrets(text)]
    assert len(rejected) <= 0.02 * len(texts), rejected


def _share_with_secrets(name: str) -> float:
    texts = read_lines(name)
    return sum(bool(find_secrets(text)) for text in texts) / len(texts)


def test_numbers_of_ordinary_life_in_other_languages__are_seldom_taken_for_secrets() -> None:
    """No classifier learns from these texts: recipes, doses, flights, sizes, and words that stand near secrets."""
    told, numbers, ordinary = map(
        _share_with_secrets, ("secrets_lives_unread", "ordinary_numbers_unread", "ordinary_lives_unread")
    )
    assert told > 0.62
    assert numbers < 0.09
    assert ordinary < 0.01


@pytest.mark.parametrize("recipe", ["7 g Flohsamenschalen auf 300 g Mehl", "12 g Salz auf 600 g Mehl, nicht 10"])
@pytest.mark.parametrize("request_to_keep", ["bitte merken", "Merk dir", "Notiz"])
def test_recipe_that_somebody_asks_to_keep__is_no_secret(recipe: str, request_to_keep: str) -> None:
    assert find_secrets(f"{request_to_keep}: {recipe}") == ()


def test_number__counts_by_its_shape() -> None:
    assert secret_features("The safe: 4471") == secret_features("The safe: 9020")
    assert secret_features("The safe: 4471") != secret_features("The safe: 447")
    assert secret_features("The safe: 4471") != secret_features("The safe: 1971"), "a year"


def test_score__of_a_long_text_reads_its_beginning() -> None:
    assert secret_score("I like tea " * 1_000) == secret_score("I like tea " * 2_000)


@pytest.mark.parametrize("name", ["Dr Okafor", "Dr. Hana Novak", "Frau Dr. Yılmaz", "dra_reyes"])
def test_name_with_a_title__is_no_claim(name: str) -> None:
    assert rejection_of_name(name) is None


@pytest.mark.parametrize("name", ["Room 504", "ChIJ2eUgeAK6j4ARbn5u_wAGqWA", "Studio 12b", "Nina77"])
def test_name__is_no_disclosure(name: str) -> None:
    assert rejection_of_name(name) is None
