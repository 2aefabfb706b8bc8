"""Forms of verbs, as keys and texts of memories hold them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from keepsake.domain.english.inflection import (
    _is_past_or_modal,
    base_phrase,
    gerund_base,
    third_person_base,
    third_person_verb,
)
from keepsake.domain.english.lemmas import _lemmas_by_part, base_form, inflect
from keepsake.domain.english.third_person import third_person
from keepsake.domain.text import word_set

GERUNDS = {
    "hoping": "hope", "hopping": "hop", "taping": "tape", "tapping": "tap", "tying": "tie", "dying": "die",
    "lying": "lie", "managing": "manage", "controlling": "control", "running": "run", "baking": "bake",
    "smoking": "smoke", "dancing": "dance", "cycling": "cycle", "hiking": "hike", "skiing": "ski", "seeing": "see",
    "travelling": "travel", "traveling": "travel", "playing": "play", "singing": "sing", "sewing": "sew",
    "picnicking": "picnic", "vlogging": "vlog", "consuming": "consume", "cosplaying": "cosplay", "planning": "plan",
}  # fmt: skip
THIRD_PERSON = {
    "watch": "watches", "fix": "fixes", "miss": "misses", "fly": "flies", "play": "plays", "go": "goes", "do": "does",
    "have": "has", "am": "is", "quiz": "quizzes", "vlog": "vlogs", "need": "needs", "feed": "feeds", "breed": "breeds",
    "read": "reads", "put": "puts", "light": "lights", "Love": "loves",
}  # fmt: skip
NO_GERUNDS = word_set("morning evening wedding ceiling king ring string pudding sibling something run")
UNCHANGED = sorted(
    word_set("""
        can will must cannot was had did went lit got ate fell felt found saw led tried married born vlogged quit
    """)
)


@pytest.mark.parametrize("gerund, base", GERUNDS.items())
def test_gerund_base__of_verbs(gerund: str, base: str) -> None:
    assert gerund_base(gerund) == base


@pytest.mark.parametrize("word", sorted(NO_GERUNDS))
def test_gerund_base__leaves_what_is_no_gerund(word: str) -> None:
    assert gerund_base(word) == word


def test_base_phrase__changes_the_first_word() -> None:
    assert base_phrase("going to the gym") == "go to the gym"
    assert base_phrase("Managing") == "manage"


@pytest.mark.parametrize("verb, expected", THIRD_PERSON.items())
def test_third_person_verb__and_back(verb: str, expected: str) -> None:
    assert third_person_verb(verb) == expected
    assert verb == "am" or third_person_base(expected) == verb.lower()


@pytest.mark.parametrize("verb", UNCHANGED)
def test_third_person_verb__past_and_modal_forms_stay(verb: str) -> None:
    assert third_person_verb(verb) == third_person_base(verb) == verb


def test_is_past_or_modal__tells_need_from_needed() -> None:
    assert not _is_past_or_modal("need")
    assert _is_past_or_modal("needed")


def test_lexicon__serves_threads_that_come_together() -> None:
    for cached in (_lemmas_by_part, base_form, inflect):
        cached.cache_clear()
    words = [*GERUNDS] * 20
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(gerund_base, words)) == [GERUNDS[word] for word in words]


@pytest.mark.parametrize("place", ["Tjøme", "Brémy", "Åmy", "Łomme", "Grünius", "Füssi"])
def test_end_of_a_word_after_an_accented_letter__is_no_pronoun(place: str) -> None:
    assert third_person(f"I visited {place} with my aunt") == f"Visited {place} with their aunt"


@pytest.mark.parametrize(
    "clause, text",
    [
        ("I would like a boat", "Would like a boat"),
    ],
)
def test_third_person__of_a_word_before_the_verb(clause: str, text: str) -> None:
    assert third_person(clause) == text
