"""Predicates of one person become sentences, without a word that they do not have."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.english.join_predicates import join_predicates


@pytest.mark.parametrize(
    "predicates, text",
    [
        (["lives in Leeds"], "Lives in Leeds."),
        (["lives in Leeds", "works as a nurse"], "Lives in Leeds and works as a nurse."),
        (["has a dog", "likes tea", "has two cats"], "Has a dog and two cats. Likes tea."),
        (["has a dog", "has diabetes", "has two cats"], "Has a dog and two cats. Has diabetes."),
        (["eats fish, but no meat", "has a dog"], "Eats fish, but no meat. Has a dog."),
        (["runs", "sings", "bakes", "paints"], "Runs, sings and bakes. Paints."),
        (["no longer works at Acme", "quit smoking"], "No longer works at Acme. Quit smoking."),
        (["likes A", "likes B", "likes C", "likes D"], "Likes A, B and C. Likes D."),
        (["was late!"], "Was late!"),
    ],
)
def test_predicates__of_one_word_or_short_ones_share_a_sentence(predicates: list[str], text: str) -> None:
    assert join_predicates(predicates) == text


words: Any = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzäéß"), min_size=1, max_size=8)


@given(st.lists(st.lists(words, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=12))
def test_predicates__are_all_told(predicates: list[str]) -> None:
    told = join_predicates(predicates).casefold()
    assert all((one.partition(" ")[2] or one).casefold() in told for one in predicates)
