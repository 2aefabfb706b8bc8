"""Which of few memories a message gets where words, similarity and topics are weighed together."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from keepsake.domain.context.few_memories import can_weigh_together, select_of_few
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.scoring import MAX_FEW_MEMORIES, ScoredMemory, Strategy
from keepsake.domain.context.selection import select_memories
from tests.support.memories import NOW, scored

_ADVICE = "where should we go this weekend?"


def similar(text: str, *, deviation: float, contrast: float, words: float = 0.0, **more: Any) -> ScoredMemory:
    vectors = {"similarity": 0.3, "deviation": deviation, "contrast": contrast}
    return scored(text, words=words, **vectors, **more)._replace(memory_count=30)


_OBOE = similar("Plays the oboe", deviation=-1.0, contrast=0.1)


def selected(*candidates: ScoredMemory, message: str = _ADVICE) -> list[str]:
    return [c.memory.text for c in select_of_few([_OBOE, *candidates], message)]


def shown(*candidates: ScoredMemory, message: str = _ADVICE, **more: Any) -> dict[str, str]:
    selection = select_memories([_OBOE, *candidates], message=message, now=NOW, limits=Limits(), **more)
    return {c.memory.text: c.why for c in selection.chosen}


def test_similarity__alone_must_be_clear() -> None:
    assert selected(similar("Has a canoe", deviation=2.5, contrast=4.0)) == ["Has a canoe"]
    assert selected(similar("Has a canoe", deviation=3.5, contrast=3.4)) == []
    assert selected(similar("Has a canoe", deviation=1.5, contrast=4.0)) == []


def test_signals__suffice_together_where_each_is_too_weak_alone() -> None:
    weak = {"deviation": 1.2, "contrast": 2.4}
    assert selected(similar("Has a canoe", **weak)) == []
    assert selected(similar("Has a canoe", words=0.5, deviation=-1.0, contrast=0.1)) == []
    assert selected(similar("Has a canoe", words=1.0, **weak)) == ["Has a canoe"]
    assert selected(similar("Lives in Graz", **weak), message="what can we do this weekend near me?") == [
        "Lives in Graz"
    ]


def test_relevant__what_is_far_behind_the_best_one_is_not() -> None:
    second = similar("Has a canoe", deviation=2.5, contrast=4.0)
    assert selected(second, similar("Goes away on weekends", deviation=3.5, contrast=5.0, words=1.0)) == [
        "Goes away on weekends",
        "Has a canoe",
    ]
    assert selected(second, similar("Goes away on weekends", deviation=4.0, contrast=7.0, words=2.0)) == [
        "Goes away on weekends"
    ]


def test_not_embedded_yet__words_decide() -> None:
    assert selected(scored("Goes away on weekends", words=1.0)) == ["Goes away on weekends"]
    assert selected(scored("Has a canoe")) == []


def test_why__names_the_topic_where_no_word_is_shared() -> None:
    weak = {"deviation": 1.2, "contrast": 2.4}
    message = "what can we do this weekend near me?"
    assert shown(similar("Lives in Graz", **weak), message=message) == {"Lives in Graz": "about home"}
    assert shown(similar("Has a canoe", deviation=3.0, contrast=4.0)) == {"Has a canoe": "close in meaning"}


def test_doubted__only_where_similarity_and_words_speak_for_it() -> None:
    doubted = NOW - timedelta(days=1)
    assert shown(similar("Has a canoe", deviation=3.0, contrast=4.0, doubted_at=doubted))
    assert not shown(similar("Has a canoe", deviation=1.0, contrast=4.0, doubted_at=doubted))


@pytest.mark.parametrize("strategy", [Strategy.KEYWORD, Strategy.BLEND])
def test_strategies__for_comparison_are_left_alone(strategy: Strategy) -> None:
    clear = similar("Has a canoe", deviation=0.5, contrast=9.0)
    assert shown(clear, strategy=strategy) == {"Has a canoe": "close in meaning"}
    assert shown(clear) == {"Has a canoe": "close in meaning"}
    assert shown(clear._replace(contrast=5.0), strategy=strategy) == {"Has a canoe": "close in meaning"}
    assert not shown(clear._replace(contrast=5.0))


def test_weighed_together__only_few_memories_with_vectors() -> None:
    one = similar("Has a canoe", deviation=1.0, contrast=4.0)
    assert can_weigh_together([one])
    assert not can_weigh_together([one._replace(memory_count=MAX_FEW_MEMORIES)])
    assert not can_weigh_together([one._replace(contrast=None)])


def test_very_few_memories__a_close_one_is_selected_although_it_cannot_stand_out() -> None:
    """The only memory of a person is as far from the mean as every other: not at all."""
    only = similar("Has a canoe", deviation=0.0, contrast=6.0)._replace(memory_count=1)
    assert [c.memory.text for c in select_of_few([only], _ADVICE)] == ["Has a canoe"]
    assert select_of_few([only._replace(memory_count=30)], _ADVICE) == []
    assert select_of_few([only._replace(contrast=3.5)], _ADVICE) == []
