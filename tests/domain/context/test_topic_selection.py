"""Which memories a message gets for their topic alone."""

from __future__ import annotations

from datetime import timedelta

from keepsake.domain.context.limits import Limits
from keepsake.domain.context.scoring import MAX_FEW_MEMORIES, ScoredMemory
from keepsake.domain.context.selection import SelectedMemory, select_memories
from tests.support.memories import NOW, scored

_OTHERS = ("Plays the oboe", "Favorite color is green", "Collects stamps")


def shown(message: str, *texts: str, count: int = 20) -> dict[str, str]:
    candidates = [scored(text)._replace(memory_count=count) for text in (*_OTHERS, *texts)]
    return {c.memory.text: c.why for c in select(candidates, message)}


def select(candidates: list[ScoredMemory], message: str) -> list[SelectedMemory]:
    return list(select_memories(candidates, message=message, now=NOW, limits=Limits()).chosen)


def test_topic__selects_what_shares_no_word() -> None:
    assert shown("where can we go with the little ones?", "Son Theo is five", "Lives in Graz") == {
        "Son Theo is five": "about children",
        "Lives in Graz": "about home",
    }


def test_topic__at_most_two() -> None:
    pets = [f"Has a cat called {name}" for name in ("Ada", "Bo", "Cy", "Di")]
    assert len(shown("which vet is good for kittens?", *pets)) <= 2


def test_topic__not_of_many_memories() -> None:
    assert not shown("where can we go with the little ones?", "Son Theo is five", count=MAX_FEW_MEMORIES + 1)


def test_topic__nothing_for_a_question_about_the_world() -> None:
    assert not shown("Why do cats purr?", "Has two kittens")


def test_topic__the_work_of_a_relative_is_no_work_of_the_person() -> None:
    assert list(shown("how do I ask my boss for a raise?", "Works as a welder", "Sister works as a vet")) == [
        "Works as a welder"
    ]


def test_topic__never_a_doubted_memory() -> None:
    candidates = [
        scored("Lives in Graz", doubted_at=NOW - timedelta(days=1))._replace(memory_count=5),
        scored("Plays the oboe")._replace(memory_count=5),
    ]
    assert not select(candidates, "what can we do this weekend near me?")


def test_topic__is_no_use_of_the_memory() -> None:
    candidates = [scored(text)._replace(memory_count=5) for text in (*_OTHERS, "Son Theo is five")]
    assert [c.is_requested for c in select(candidates, "games for the little ones")] == [False]


def test_words_without_subject__do_not_make_a_memory_of_few_relevant() -> None:
    candidates = [scored("Wants to see one volcano", words=1.0, matched=("want", "one"))._replace(memory_count=5)]
    assert not select(candidates, "I want one more")
