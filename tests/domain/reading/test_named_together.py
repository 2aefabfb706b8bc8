"""Relatives are known by their names, also from a list and between commas, and a relative's job keeps its place."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.message.normalize_message import normalize_message
from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "said, remembered",
    [
        (
            "My wife Ines and I have twins, Ida and Per.",
            ["Twins are called Ida and Per"],
        ),
        ("We've got boys: Ari and Noam.", ["Boys are called Ari and Noam"]),
        (
            "I have brothers named Nils, Olaf and Per.",
            ["a brother named Nils", "a brother named Olaf", "a brother named Per"],
        ),
        ("we have daughters, Freya and Ida", ["a daughter named Freya", "a daughter named Ida"]),
    ],
)
def test_names__of_relatives_whom_the_author_has(said: str, remembered: list[str]) -> None:
    texts = [candidate.text for candidate in extract(said)]
    assert all(any(text.endswith(one) for text in texts) for one in remembered), texts


@pytest.mark.parametrize(
    "said",
    [
        "My sister has twins, Emil and Klara.",
        "I want to have kids, Emil and Klara would be nice.",
        "I have kids, and Tim is sick.",
        "I have two jobs, Uber and Lyft.",
        "We had twins, Emil and Klara, in our class.",
    ],
)
def test_names__of_nobody_else(said: str) -> None:
    assert not [one.text for one in extract(said) if " named " in one.text]


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("My husband Luis is a chef in Porto.", "Husband Luis is a chef in Porto"),
        ("My cousin is a pilot for Lufthansa.", "Cousin is a pilot for Lufthansa"),
        ("My aunt is a teacher at my school.", "Aunt is a teacher at their school"),
        ("My dad is a plumber by trade.", "Dad is a plumber"),
    ],
)
def test_job__of_a_relative_keeps_its_place(said: str, remembered: str) -> None:
    (candidate,) = extract(said)
    assert (candidate.text, candidate.value) == (remembered, remembered.split()[4 if "Luis" in said else 3])


@pytest.mark.parametrize(
    "said, text",
    [
        ("Leo, my son, can't have eggs", "Son Leo cannot have eggs"),
        ("Leo, my son, is allergic to eggs, what can I cook?", "Son Leo is allergic to eggs"),
        ("Leo, my son, who is 5, is allergic to nuts", "Son Leo is 5 years old"),
        ("Ana, my sister, lives in Faro", "Sister Ana lives in Faro"),
        ("My sister, Ana, lives in Faro", "Sister Ana lives in Faro"),
        ("I'm tired. Maria Ana, my youngest sister, lives in Faro", "Youngest sister Maria Ana lives in Faro"),
        ("I love it here because Ana, my sister, lives in Faro", "Sister Ana lives in Faro"),
        ("I cook a lot, but our husband, José, is a vegan", "Husband José is a vegan"),
        ("Ana, my best friend, moved to Berlin", "Best friend Ana moved to Berlin"),
        ("Luna, my cat, is 3", "Cat Luna is 3 years old"),
    ],
)
def test_name__between_commas_is_read_as_if_it_stood_without_them(said: str, text: str) -> None:
    found = {one.text: one.quote for one in extract(said)}
    assert text in found
    assert found[text] in said


@pytest.mark.parametrize(
    "said",
    [
        "Tom, my brother is in prison",
        "Tom, my brother and I went out",
        "Tom, my brother, you should see this",
        "Tom, my friend, can you help me?",
        "Paris, my favourite city, is lovely",
        "Well, my son can't have eggs",
        "Well, my son, can't have eggs",
        "Honestly, my wife, is a saint",
        "Mom, my brother, is annoying",
        "Ana and Rui, my parents, moved to Faro",
        "My wife Ines, my best friend, moved to Faro",
        "My mother, Ana, and Leo live in Faro",
    ],
)
def test_name__of_whom_is_addressed_or_of_something_else_is_no_relative(said: str) -> None:
    assert normalize_message(said).text == said
