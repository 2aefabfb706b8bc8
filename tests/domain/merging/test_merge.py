"""Merging: repeat, change, take back, contradict; on one device and on two."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from keepsake.domain.english.similarity import difference, says_the_same
from keepsake.domain.memory import Candidate, Memory, Source, Status
from keepsake.domain.merging.decisions import Drop, Insert, Reinforce, Retract, Supersede
from keepsake.domain.merging.merge import decide, merge
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import key_of
from tests.support.memories import NOW, memory

LATER = NOW + timedelta(minutes=5)


def said(message: str, *, recent: tuple[Memory, ...] = ()) -> Candidate:
    return extract(message, recent=recent)[-1]


def stored(message: str, **more: object) -> Memory:
    candidate = extract(message)[-1]
    return memory(
        candidate.text, key=candidate.key, value=candidate.value, type=candidate.type, subtype=candidate.subtype, **more
    )


def test_decide__nothing_stored_inserts() -> None:
    assert isinstance(decide(said("I have a dog"), [], said_at=LATER), Insert)


@pytest.mark.parametrize(
    "first, second",
    [
        ("I like pizza", "I love pizza"),
        ("I have a dog", "We have a dog"),
        ("I'm allergic to peanuts", "I have an allergy to peanuts"),
        ("My favorite food is ramen", "ramen is my favourite food"),
        ("I live in Berlin", "I'm living in Berlin now"),
        ("I love ramen", "I'm really into ramen"),
        ("I hate olives", "I can't stand olives"),
    ],
)
def test_decide__the_same_said_again_reinforces(first: str, second: str) -> None:
    old = stored(first, reference_count=2, importance=1)
    decision = decide(said(second), [old], said_at=LATER)
    assert isinstance(decision, Reinforce), decision
    assert (decision.memory_id, decision.reference_count) == (old.id, 3)
    assert decision.importance >= 2, "the third time raises it"


@pytest.mark.parametrize(
    "first, second",
    [
        ("My favorite food is pizza", "My favorite food is ramen"),
        ("I'm allergic to peanuts", "I'm not allergic to peanuts"),
        ("My daughter is 5", "My daughter is 6"),
        ("I live in Austin", "I just moved to Lisbon"),
        ("I like pizza", "I don't like pizza any more"),
        ("I work at Acme", "I work at Globex now"),
        ("I have two dogs", "I have three dogs"),
    ],
)
def test_decide__another_value_supersedes(first: str, second: str) -> None:
    old = stored(first)
    decision = decide(said(second), [old], said_at=LATER)
    assert isinstance(decision, Supersede), decision
    assert decision.old_id == old.id


@pytest.mark.parametrize(
    "first, second",
    [
        ("My daughter is 5", "My son is 5"),
        ("I like cats", "I like bats"),
        ("I have a dog named Rex", "I have a dog named Max"),
        ("My favorite food is pizza", "My favorite color is green"),
        ("My sister Anna lives in Berlin", "My sister Ines lives in Berlin"),
        ("I work at Acme", "I also work at Globex"),
        ("I'm a nurse", "I'm also a volunteer firefighter"),
        ("I love hiking", "I love biking"),
        ("I want to run a marathon", "I want to run a bakery"),
    ],
)
def test_decide__different_things_stay_apart(first: str, second: str) -> None:
    assert isinstance(decide(said(second), [stored(first)], said_at=LATER), Insert)


@pytest.mark.parametrize(
    "one, other, why",
    [
        ("Is allergic to tree nuts", "Is not allergic to tree nuts", "negation"),
        ("Wants to save 1000 euros this year", "Wants to save 3000 euros this year", "numbers"),
        ("Meets friends every Monday evening", "Meets friends every Friday evening", "numbers"),
        ("Sees their mother at the weekend", "Sees their father at the weekend", "kinship"),
        ("Plays chess with Makesh on the train", "Plays chess with Mukesh on the train", "names"),
        ("Likes to drink coffee in the garden", "Likes to drink toffee in the garden", "words"),
    ],
)
def test_decide__similar_texts_about_different_things_are_two_memories(one: str, other: str, why: str) -> None:
    assert difference(one, other) == why
    assert not says_the_same(one, other)


def test_says_the_same__small_changes_of_wording() -> None:
    assert says_the_same("Likes hiking in the mountains.", "likes hiking in mountains")
    assert says_the_same("Loves watching old movies", "Likes watching old movies")
    assert not says_the_same("Likes movies", "Likes to go out to the movies with friends")
    assert says_the_same("Enjoys long walks along the river", "Enjoys long walks along the rivers")


def test_decide__keyless_statements_merge_by_wording() -> None:
    old = memory("Collects rare stamps from the colonies", key=None)
    again = replace(said("I have a dog"), text="Collects rare stamps from the colony", key=None, value=None)
    assert isinstance(decide(again, [old], said_at=LATER), Reinforce)


def test_decide__the_later_statement_takes_precedence() -> None:
    newer = stored("My favorite food is ramen", valid_from=LATER)
    decision = decide(said("My favorite food is pizza"), [newer], said_at=NOW)
    assert isinstance(decision, Drop)
    assert decision.reason == "older"


def test_decide__only_a_correction_overrides_what_the_person_confirmed() -> None:
    confirmed = stored("I live in Paris", source=Source.USER, confidence=1.0)
    assert isinstance(decide(said("I live in Rome"), [confirmed], said_at=LATER), Drop)
    assert isinstance(decide(said("Actually, I live in Rome"), [confirmed], said_at=LATER), Supersede)


def test_decide__an_edited_memory_gets_its_key_from_its_text() -> None:
    edited = memory("Favorite food is sushi", key=None, source=Source.USER, confidence=1.0)
    assert isinstance(decide(said("My favorite food is pizza"), [edited], said_at=LATER), Drop)
    assert isinstance(decide(said("My favorite food is sushi"), [edited], said_at=LATER), Reinforce)


def test_decide__a_retraction_ends_only_the_memory_it_is_about() -> None:
    acme = stored("I work at Acme")
    closing = decide(said("I no longer work at Acme"), [acme], said_at=LATER)
    assert isinstance(closing, Retract)
    assert closing.old_id == acme.id
    assert closing.candidate is not None
    assert closing.candidate.key != acme.key
    assert isinstance(decide(said("I used to work at Globex"), [acme], said_at=LATER), Insert)


def test_decide__a_past_statement_is_stored_once() -> None:
    first = decide(said("I used to work at Globex"), [], said_at=NOW)
    assert isinstance(first, Insert)
    kept = memory(first.candidate.text, key=first.candidate.key, value=first.candidate.value)
    assert isinstance(decide(said("I used to work at Globex"), [kept], said_at=LATER), Reinforce)


def test_decide__an_expired_memory_stays_as_it_was() -> None:
    stay = stored("I live in Graz", expires_at=NOW + timedelta(minutes=1))
    decision = decide(said("I live in Graz"), [stay], said_at=LATER)
    assert isinstance(decision, Insert)
    assert decision.expired_id == stay.id


def test_decide__only_active_memories_count() -> None:
    gone = stored("I have a dog")._replace(status=Status.SUPERSEDED)
    assert isinstance(decide(said("I have a dog"), [gone], said_at=LATER), Insert)


def test_merge__the_last_statement_of_a_message_wins() -> None:
    candidates = extract("My favorite food is pizza. Actually it's ramen.")
    decisions = merge(candidates, [], said_at=LATER)
    assert [type(decision) for decision in decisions] == [Drop, Insert]
    assert isinstance(decisions[1], Insert)
    assert decisions[1].candidate.value == "ramen"


def test_merge__what_is_read_anew_with_a_known_name_is_stored_once() -> None:
    otis = stored("My nephew Otis is 9")
    anew = replace(said("My nephew Otis turned 10"), quote="Otis just turned 10", corrects=True)
    as_said = replace(anew, text="Otis just turned 10", key=None, value=None, corrects=False)
    decisions = merge([as_said, anew], [otis], said_at=LATER)
    assert [type(decision) for decision in decisions] == [Drop, Supersede]


def test_merge__past_and_present_in_one_message() -> None:
    austin = stored("I live in Austin")
    decisions = merge(extract("I used to live in Austin, now Lisbon"), [austin], said_at=LATER)
    assert [type(decision) for decision in decisions] == [Retract, Insert]


def test_merge__a_dislike_retracts_the_favorite() -> None:
    favorite = stored("My favorite food is pizza")
    decisions = merge(extract("I don't like pizza any more"), [favorite], said_at=LATER)
    assert [type(decision) for decision in decisions] == [Insert, Retract]


def test_extract__a_bare_correction_means_what_was_said_last() -> None:
    pizza = stored("My favorite food is pizza")
    candidate = said("actually it's ramen", recent=(pizza,))
    assert (candidate.key, candidate.value, candidate.text) == (pizza.key, "ramen", "Favorite food is ramen")
    decision = decide(candidate, [pizza], said_at=LATER)
    assert isinstance(decision, Supersede)
    assert decision.old_id == pizza.id


def test_extract__a_bare_correction_without_anything_before_it_means_nothing() -> None:
    assert extract("actually it's ramen") == []
    assert extract("actually it's raining", recent=(stored("I have a dog"),)) == []


@pytest.mark.parametrize("message", ["I live in Rome", "My favorite food is ramen", "I have a dog named Rex",
    "Call me Bob",
                                     "I'm allergic to peanuts", "I like pizza", "My daughter is 5", "I work at Acme"]
                                     )  # fmt: skip
def test_key_of__gives_a_text_the_key_it_was_made_with(message: str) -> None:
    candidate = said(message)
    assert key_of(candidate.text) == (candidate.key, candidate.value)


def test_decide__taking_back_again_does_not_store_the_past_twice() -> None:
    past = memory("No longer vegan", key="fact|person|self|diet|past|vegan", value="vegan")
    vegan = stored("I'm vegan")
    decision = decide(said("I'm not vegan anymore"), [past, vegan], said_at=LATER)
    assert isinstance(decision, Retract)
    assert (decision.old_id, decision.candidate) == (vegan.id, None)


def test_decide__what_is_taken_back_without_a_key_closes_nothing_else_without_one() -> None:
    """A model may name nothing that a retraction is about: then it is only kept as said."""
    unrelated = memory("Wonders whether a bakery would pay in Porto")
    candidate = replace(said("I like pizza"), text="Gave the whole thing up", key=None, value=None, retracts=True)
    assert isinstance(decide(candidate, [unrelated], said_at=LATER), Insert)
