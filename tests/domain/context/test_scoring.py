"""The prior, what counts as relevant, and how each named strategy ranks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.context.scoring import (
    ScoredMemory,
    Strategy,
    is_relevant_by_words,
    score,
    score_neighbors,
    select_relevant,
)
from tests.support.memories import NOW, scored


def ranking(candidates: list[ScoredMemory], strategy: Strategy, message: str = "ramen") -> list[str]:
    scores = score(candidates, message=message, now=NOW, strategy=strategy)
    return [c.memory.text for c in sorted(candidates, key=lambda c: -scores[c.memory.memory_no])]


def test_relevance__needs_a_word_rare_enough_or_most_of_what_was_asked() -> None:
    assert is_relevant_by_words(scored(words=0.6, coverage=0.1))
    assert is_relevant_by_words(scored(words=0.1, coverage=1.0))
    assert not is_relevant_by_words(scored(words=0.2, coverage=0.1))
    assert not is_relevant_by_words(scored(words=0.0))


def test_neighbors__share_their_score_with_memories_that_match_too_and_are_close_in_time() -> None:
    best = scored("Paints sunsets", words=1.0, memory_no=50)
    two_on = scored("Anna framed it", words=0.2, coverage=0.1, memory_no=52)
    far = scored("Anna wears hats", words=0.2, coverage=0.1, memory_no=53)
    silent = scored("Bought a frame", memory_no=51)
    long_ago = scored("Anna is a nurse", words=0.2, memory_no=49, created_at=NOW - timedelta(days=1))
    lent = {c.memory.text: c for c in score_neighbors([best, two_on, far, silent, long_ago])}
    assert lent["Anna framed it"].neighbor_score == pytest.approx(0.3 * 1.0 + 0.35 * 0.2)
    assert is_relevant_by_words(lent["Anna framed it"]._replace(lexical=0.3))
    assert lent["Anna wears hats"].neighbor_score == pytest.approx(0.35 * 0.2)
    assert not is_relevant_by_words(lent["Anna wears hats"])
    assert lent["Paints sunsets"].neighbor_score == pytest.approx(0.3 * 0.2)
    assert lent["Bought a frame"].neighbor_score == lent["Anna is a nurse"].neighbor_score == 0


def relevant(*candidates: ScoredMemory) -> list[str]:
    return [one.memory.text for one in select_relevant(candidates, {c.memory.memory_no: 1.0 for c in candidates})]


def test_relevance__similarity_alone_is_enough() -> None:
    close = scored("close", similarity=0.6, contrast=5.0)
    assert relevant(close, scored("near", similarity=0.4, contrast=3.0)) == ["close", "near"]
    assert relevant(close, scored("far", similarity=0.1, contrast=0.5)) == ["close"]
    assert relevant(scored("not calibrated", similarity=0.6)) == []


def test_relevance__a_message_that_is_close_to_no_memory_concerns_none() -> None:
    assert relevant(scored("best of many", similarity=0.3, contrast=3.0)) == []


def test_relevance__few_shared_words_do_not_suffice_where_the_meaning_is_another() -> None:
    assert is_relevant_by_words(scored(words=1.0, coverage=0.3))
    assert is_relevant_by_words(scored(words=1.0, coverage=0.3, similarity=0.1, contrast=1.6))
    assert not is_relevant_by_words(scored(words=1.0, coverage=0.3, similarity=0.1, contrast=0.2))
    assert is_relevant_by_words(scored(words=1.0, coverage=0.8, similarity=0.1, contrast=0.2))


def test_relevance_by_words__a_named_entity_is_no_other_meaning() -> None:
    """A message that says a new name, and a memory that says the old one, are not similar."""
    other_name = scored(words=1.0, coverage=0.3, similarity=0.1, contrast=0.2)._replace(named=("person:makesh",))
    assert is_relevant_by_words(other_name)
    assert not is_relevant_by_words(other_name._replace(lexical=0.2, coverage=0.1))


def test_relevant__with_vectors_what_is_far_behind_the_best_is_left_out() -> None:
    best, behind = scored("best", words=3.0, contrast=5.0), scored("behind", words=0.5, contrast=1.5)
    scores = {best.memory.memory_no: 6.0, behind.memory.memory_no: 1.0}
    assert select_relevant([best, behind], scores) == [best]
    by_words = [one._replace(contrast=None) for one in (best, behind)]
    assert select_relevant(by_words, scores) == by_words


def test_relevant__of_few_memories_what_is_somewhat_behind_is_left_out_too() -> None:
    best, behind = scored("best", words=3.0, contrast=5.0), scored("behind", words=1.5, contrast=3.0)
    scores = {best.memory.memory_no: 6.0, behind.memory.memory_no: 3.0}

    def texts(count: int, *, vectors: bool) -> list[str]:
        ranked = [
            one._replace(memory_count=count, contrast=one.contrast if vectors else None) for one in (best, behind)
        ]
        return [one.memory.text for one in select_relevant(ranked, scores)]

    for vectors in (True, False):
        assert texts(40, vectors=vectors) == ["best"]
        assert texts(80, vectors=vectors) == ["best", "behind"]


def test_fused__words_lead_and_the_prior_only_breaks_ties() -> None:
    candidates = [
        scored("tie, seldom used", words=2.0, prior=0.1),
        scored("tie, often used", words=2.0, prior=2.0),
        scored("best words", words=4.0, prior=0.0),
        scored("no words", prior=2.5),
    ]
    assert ranking(candidates, Strategy.FUSED) == ["best words", "tie, often used", "tie, seldom used", "no words"]


def test_fused__a_rare_word_is_worth_more_than_two_deviations_of_meaning() -> None:
    candidates = [
        scored("words", words=1.0, similarity=0.3, deviation=0.0),
        scored("both", words=0.9, similarity=0.4, deviation=1.0),
        scored("meaning", similarity=0.6, deviation=2.6),
        scored("no vector", words=0.9),
    ]
    assert ranking(candidates, Strategy.FUSED) == ["both", "meaning", "words", "no vector"]


def test_prior_strategy__ranks_by_the_prior_alone() -> None:
    candidates = [scored("words", words=9.0, prior=0.1), scored("used", prior=1.0)]
    assert ranking(candidates, Strategy.PRIOR) == ["used", "words"]


def test_keyword_strategy__counts_shared_words_importance_and_recent_use() -> None:
    candidates = [
        scored("Eats ramen", importance=0, words=1.0),
        scored("Eats soup", importance=1),
        scored("Eats ramen noodles", importance=0, words=1.0),
        scored("Eats ramen often", importance=0, last_referenced_at=NOW - timedelta(days=2), words=1.0),
    ]
    assert ranking(candidates, Strategy.KEYWORD, "ramen noodles") == [
        "Eats ramen noodles", "Eats ramen often", "Eats ramen", "Eats soup",
    ]  # fmt: skip
    scores = score(candidates, message="ramen noodles", now=NOW, strategy=Strategy.KEYWORD)
    assert scores[candidates[3].memory.memory_no] == pytest.approx(0.3 + 0.1)
    assert scores[candidates[1].memory.memory_no] == pytest.approx(0.5 / 3)


def test_blend_strategy__is_four_three_three_with_a_half_life_of_fourteen_days() -> None:
    a = scored("a", similarity=0.5, created_at=NOW - timedelta(days=14), entity_refs=("person:anna",))
    b = scored("b", similarity=1.0, created_at=NOW, entity_refs=("person:anna", "place:graz"))
    c = scored("c", similarity=0.0, created_at=NOW - timedelta(days=28), entity_refs=("place:rome",))
    scores = score([a, b, c], message="", now=NOW, strategy=Strategy.BLEND)
    assert scores[a.memory.memory_no] == pytest.approx(0.4 * 0.5 + 0.3 * 0.5 + 0.3 * 1.0)
    assert scores[b.memory.memory_no] == pytest.approx(0.4 * 1.0 + 0.3 * 1.0 + 0.3 * 1.0)
    assert scores[c.memory.memory_no] == pytest.approx(0.4 * 0.0 + 0.3 * 0.25 + 0.3 * 0.5)


@pytest.mark.parametrize("strategy", list(Strategy))
def test_every_strategy__takes_an_empty_list(strategy: Strategy) -> None:
    assert score([], message="", now=NOW, strategy=strategy) == {}
