"""What a memory reads like, and how short the words are that it rests on."""

from __future__ import annotations

import pytest

from keepsake.domain.memory import Candidate
from keepsake.domain.reading.statements.extract import extract


def found(message: str) -> list[Candidate]:
    return extract(message)


@pytest.mark.parametrize(
    "said, text, quote",
    [
        ("I hate celery, it tastes like grass.", "Hates celery", "I hate celery"),
        ("I play the oboe, badly.", "Plays the oboe", "I play the oboe"),
        ("I'm a midwife, have been for twenty years", "Is a midwife", "I'm a midwife"),
        ("I'm a plumber been doing it 12 years", "Is a plumber", "I'm a plumber"),
        ("I'm allergic to pollen, yes really", "Allergic to pollen", "I'm allergic to pollen"),
        ("By the way, I live in Ghent.", "Lives in Ghent", "I live in Ghent"),
        ("I moved to Ghent last year", "Lives in Ghent", "I moved to Ghent last year"),
        ("We moved from Bruges to Ghent.", "Lives in Ghent", "We moved from Bruges to Ghent"),
        ("I love rain, though you may not believe it", "Loves rain", "I love rain"),
    ],
)
def test_extract__keeps_the_statement_and_the_words_it_rests_on(said: str, text: str, quote: str) -> None:
    (memory,) = found(said)
    assert (memory.text, memory.quote) == (text, quote)


@pytest.mark.parametrize(
    "said, texts",
    [
        ("I have a dog called rex and he is 3", ["Has a dog named Rex", "Dog Rex is 3 years old"]),
        ("Our son Leo just started kindergarten", ["Son is named Leo", "Son Leo just started kindergarten"]),
        (
            "My daughter Emma is 5. She loves bees.",
            ["Daughter Emma is 5 years old", "Daughter Emma loves bees"],
        ),
        ("I'd love to visit Peru someday", ["Would love to visit Peru someday"]),
        ("My sister's wedding is on July 12th", ["Sister's wedding is on July 12th"]),
        ("My choir rehearsal is on Tuesday", ["Choir rehearsal is on Tuesday"]),
        ("Please remember that my flight is on Friday", ["Flight is on Friday"]),
    ],
)
def test_extract__finds_what_is_told_in_passing(said: str, texts: list[str]) -> None:
    assert [memory.text for memory in found(said)] == texts


@pytest.mark.parametrize(
    "said",
    [
        "My sister is visiting. She says hello.",
        "I have two dogs. He is 3.",
        "My wife is a nurse. He is 45.",
        "I'd love to visit Peru",
        "I'd love to visit Peru one day, maybe",
    ],
)
def test_extract__says_of_nobody_what_was_not_said_of_them(said: str) -> None:
    texts = [memory.text for memory in found(said)]
    assert [text for text in texts if "45" in text or "3" in text or "Peru" in text or "office" in text] == []
    assert not any("says" in text or "Flight" in text or "payment" in text for text in texts)


@pytest.mark.parametrize(
    "said, keys",
    [
        ("I have 5 dogs and 3 rats", ["pet|dog", "pet|rat"]),
        ("I have a son and a daughter", ["has|son", "has|daughter"]),
        ("I'm allergic to peanuts and shellfish", ["allergy|peanut", "allergy|shellfish"]),
        ("I love macaroni and cheese", ["likes|macaroni_and_cheese"]),
        ("I love Simon and Garfunkel", ["likes|simon_and_garfunkel"]),
        ("I love my wife and kids", ["likes|wife_and_child"]),
        ("I have a black and white cat", ["pet|black_and_white_cat"]),
        ("I like plums, pears, apples and figs", ["likes|plums_pears_apples_and_fig"]),
    ],
)
def test_extract__a_list_is_one_memory_for_each_thing_where_that_is_safe(said: str, keys: list[str]) -> None:
    assert [(memory.key or "").split("|self|")[-1] for memory in found(said)] == keys
    assert all(memory.quote in said for memory in found(said))


def test_extract__a_list_never_crowds_out_another_statement() -> None:
    texts = [
        memory.text for memory in found("I love plums, pears, figs, kiwis and grapes. I live in Ghent. My name is Ana.")
    ]
    assert texts == ["Loves plums, pears, figs, kiwis and grapes", "Lives in Ghent", "Name is Ana"]
