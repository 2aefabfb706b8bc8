"""More ways people tell of themselves: in the plural, without a subject, in slang, as something that ended."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract

REMEMBERED = [
    # in the plural, or shared
    ("We're hoping to adopt a toddler.", ["Is hoping to adopt a toddler"]),
    ("We keep halal at home.", ["Keeps halal at home"]),
    ("we've got two parrots, Kiki and Lou", ["Has two parrots, Kiki and Lou"]),
    ("I share a flat with two students in Graz", ["Shares a flat with two students in Graz"]),
    ("I live in Graz, work for a bank, and play tennis on Mondays.",
     ["Lives in Graz", "Works for a bank"]),
    # without a subject, or in slang
    ("huge fan of Agatha Christie here", ["Is a huge fan of Agatha Christie"]),
    ("iam from nepal", ["Is from Nepal"]),
    ("cant do dairy", ["Cannot do dairy"]),
    # in the number of what it is about
    ("My choir rehearsals are on Tuesdays", ["Choir rehearsals are on Tuesdays"]),
    ("cats are my favorite animals", ["Favorite animals are cats"]),
    ("cats are my favorite animal", ["Favorite animal is cats"]),
    ("my least favourite foods are olives", ["Least favorite foods are olives"]),
    # with one verb
    ("drinks coffee every morning", ["Drinks coffee every morning"]),
    ("plays tennis every sunday", ["Plays tennis every sunday"]),
    ("drinks with the team every friday", ["Has drinks with the team every friday"]),
    # habits and tastes
    ("every monday i visit my aunt", ["Visits their aunt every monday"]),
    ("I do ceramics on weekends", ["Does ceramics on weekends"]),
    ("I've been playing the harp since I was nine.", ["Has been playing the harp since they were nine"]),
    ("I tend to overpack for short trips", ["Tends to overpack for short trips"]),
    ("I drink my tea strong with milk", ["Drinks their tea strong with milk"]),
    ("Turnips are my least favourite vegetable", ["Turnips are their least favorite vegetable"]),
    ("I've been vegetarian for ten years", ["Is vegetarian"]),
    ("I use Emacs", ["Uses Emacs"]),
    # origin and home
    # what ended or changed
    ("I stopped eating pork in March.", ["Stopped eating pork in March"]),
    ("I stopped going to the pool", ["Stopped going to the pool"]),
    ("I gave up training for the marathon", ["Gave up training for the marathon"]),
    ("I don't want to learn Danish any more", ["No longer wants to learn Danish"]),
    ("I sold the Vespa", ["Sold the Vespa"]),
    ("Mira and I are divorced.", ["Is divorced with Mira"]),
    ("I became a baker", ["Is a baker"]),
    ("I've switched from Windows to Linux", ["Has switched from Windows to Linux"]),
    ("My son's birthday is on May 4th", ["Son's birthday is on May 4th"]),
    ("I work as a cook and volunteer at a shelter", ["Works as a cook", "Volunteers at a shelter"]),
    ("My partner is Catholic", ["Partner is Catholic"]),
    ("My son is Fred", ["Son is named Fred"]),
]  # fmt: skip

NOT_REMEMBERED = [
    "love it",
    "love you",
    "love this song",
    "allergic to this?",
    "We should move to Berlin",
    "home is where the heart is",
    "I tend to agree",
    "my job is driving me crazy",
    "going to bed",
    "every time I log in I get an error",
    "his name is Idris",
    "I stopped by the store",
    "I stopped getting notifications",
    "I stopped working on this",
    "I sold the idea to my boss",
    "I use it every day",
]


@pytest.mark.parametrize("said, texts", REMEMBERED)
def test_extract__hears_it_in_the_words_people_use(said: str, texts: list[str]) -> None:
    assert [found.text for found in extract(said) if found.text] == texts


@pytest.mark.parametrize("said", NOT_REMEMBERED)
def test_extract__hears_nothing_in_what_only_begins_alike(said: str) -> None:
    assert [found.text for found in extract(said) if found.text] == []
