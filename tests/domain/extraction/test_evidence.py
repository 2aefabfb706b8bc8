"""What a model may make of the person's words: their own words, and a few usual ones with a cue; nothing else."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.grounding import GroundingSources


def fault(said: str, text: str, *, quote: str | None = None, assistant: str | None = None) -> str | None:
    return GroundingSources(said, assistant).evidence(quote or said).error(text)


@pytest.mark.parametrize(
    "said, text",
    [
        ("we moved to Ghent in May", "Lives in Ghent"),
        ("i'm a nurse at St Mary's", "Works as a nurse at St Mary's"),
        ("I can't stand mayo", "Dislikes mayo"),
        ("I don't eat pork.", "Does not eat pork"),
        ("mum passed away in march", "Mother died in March"),
        ("my wife's name is Henrike", "Wife is named Henrike"),
        ("I moved to NYC.", "Lives in New York City"),
        ("my interview is tomorrow", "Has an interview on 23 November 2026"),
        ("I have three cats", "Has 3 cats"),
        ("I'm vegetarian, have been since I was twelve.", "Is vegetarian since the age of twelve"),
        ("I'm lactose intolerant, sadly", "Is lactose intolerant"),
        ("my daughter Mia is five", "Daughter Mia is 5 years old"),
        ("my son's twelve now", "Son is 12 years old"),
        ("Ok, I'm vegan. What can I eat?", "Is vegan"),
    ],
)
def test_words_of_the_person__are_evidence_in_another_form_too(said: str, text: str) -> None:
    assert fault(said, text) is None


@pytest.mark.parametrize(
    "said, text, why",
    [
        ("I love pizza", "Lives in pizza", "invented_words"),
        ("I love pizza", "Likes pizza and lives in Rome", "invented_words"),
        ("I love pizza", "Dislikes pizza", "invented_words"),
        ("I have five cats", "Is 5 years old", "invented_words"),
        ("we're two vegans", "Is 2 years old", "invented_words"),
        ("I don't like olives", "Likes olives", "negation"),
        ("I like olives", "Does not like olives", "negation"),
        ("the guy next to me on the bus has four ferrets", "Has four ferrets", "other_subject"),
        ("my brother got a job in Dubai", "Got a job in Dubai", "other_subject"),
        ("he's from Glasgow", "Is from Glasgow", "other_subject"),
        ("I love pizza", "I love pizza", "no_statement"),
        ("it's Mikhail but everyone says Misha", "Misha", "no_statement"),
        ("I love pizza", "Loves pizza, right?", "not_stated"),
        ("should i get a dog or a cat", "Has a dog", "not_stated"),
        ("suppose i lived in zurich, what tax would i pay", "Lives in Zurich", "not_stated"),
        ("finish the lyric: I left my heart in San Francisco", "Left heart in San Francisco", "not_stated"),
    ],
)
def test_anything_else__is_an_invention(said: str, text: str, why: str) -> None:
    assert fault(said, text) == why


def test_fragment_of_a_question__states_nothing() -> None:
    assert fault("should i get a dog or a cat", "Has a dog", quote="get a dog") == "not_stated"


def test_question_of_the_assistant__says_what_a_short_answer_is_about() -> None:
    assert fault("yeah, peanuts", "Has an allergy to peanuts", assistant="Any food allergies?") is None
    assert fault("yeah, peanuts", "Has an allergy to peanuts") == "invented_words"
    assert fault("yeah, peanuts", "Lives in Rome with peanuts", assistant="So you live in Rome.") == "invented_words"
