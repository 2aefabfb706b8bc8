"""Chat turns as people write them: what is remembered of each."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.reading.statements.extract import extract

REMEMBERED = [
    # who they are
    ("My name is Priya", ["Name is Priya"]),
    ("hey, I'm Tom, nice to meet you", ["Name is Tom"]),
    ("call me bob", ["Likes to be called Bob"]),
    ("everyone calls me Mads", ["Likes to be called Mads"]),
    ("My pronouns are they/them.", ["Pronouns are they/them"]),
    ("I'm 34 years old", ["Is 34 years old"]),
    ("My birthday is March 3rd", ["Birthday is March 3rd"]),
    ("I grew up in a small town in Ohio", ["Grew up in a small town in Ohio"]),
    ("I'm from Porto originally", ["Is from Porto"]),
    ("I speak Portuguese and a little French", ["Speaks Portuguese and a little French"]),
    ("I'm a Scorpio", ["Is a Scorpio"]),
    ("I'm left-handed", ["Is left-handed"]),
    # where and how they live
    ("I live in Austin, Texas", ["Lives in Austin, Texas"]),
    ("i live in arizona", ["Lives in Arizona"]),
    ("We just moved to Leeds", ["Lives in Leeds"]),
    ("I live with my grandparents", ["Lives with their grandparents"]),
    ("I work at Acme as an engineer", ["Works at Acme as an engineer"]),
    ("I'm a nurse", ["Is a nurse"]),
    ("I work as a bartender on weekends", ["Works as a bartender on weekends"]),
    ("I'm studying biology at Leeds University", ["Is studying biology at Leeds University"]),
    ("I own a bakery", ["Owns a bakery"]),
    # people and pets
    ("My daughter is 5", ["Daughter is 5 years old"]),
    ("my sister Anna lives in Berlin", ["Sister Anna lives in Berlin"]),
    ("My dad was in the military.", ["Dad was in the military"]),
    ("My wife's name is Joana", ["Wife is named Joana"]),
    ("I have two kids", ["Has two kids"]),
    ("I have a dog", ["Has a dog"]),
    ("I have a dog named Rex", ["Has a dog named Rex"]),
    ("we adopted a kitten", ["Adopted a kitten"]),
    ("we finally got a cat, her name is Luna", ["Got a cat", "Cat is named Luna"]),
    ("I'm pregnant with my first child", ["Is pregnant with their first child"]),
    # tastes and needs
    ("My favorite food is ramen", ["Favorite food is ramen"]),
    ("My favourite colour is green", ["Favorite colour is green"]),
    ("Cheeseburgers are my favorite food.", ["Favorite food is Cheeseburgers"]),
    ("I love horror movies", ["Loves horror movies"]),
    ("I'm really into climbing", ["Is really into climbing"]),
    ("I can't stand the smell of lavender", ["Cannot stand the smell of lavender"]),
    ("I don't like crowds", ["Does not like crowds"]),
    ("I'm allergic to peanuts", ["Allergic to peanuts"]),
    ("I'm not allergic to peanuts", ["Not allergic to peanuts"]),
    ("I'm vegan", ["Is vegan"]),
    ("I follow a strict keto diet", ["Follows a strict keto diet"]),
    ("I don't drink alcohol", ["Does not drink alcohol"]),
    ("I prefer window seats", ["Prefers window seats"]),
    ("I only eat kosher food", ["Only eats kosher food"]),
    ("I prefer short answers", ["Prefers short answers"]),
    # what they do and want
    ("I run every morning", ["Runs every morning"]),
    ("I go to the gym three times a week", ["Goes to the gym three times a week"]),
    ("I play the cello", ["Plays the cello"]),
    ("I want to run a marathon next spring", ["Wants to run a marathon next spring"]),
    ("I'm saving up to buy a house", ["Is saving up to buy a house"]),
    ("I'm learning Japanese", ["Is learning Japanese"]),
    ("I'm training for an Ironman", ["Is training for an Ironman"]),
    ("My goal is to retire at 50", ["Goal is to retire at 50"]),
    ("I have blue eyes", ["Has blue eyes"]),
    ("I drive a BMW", ["Drives a BMW"]),
    # what passes
    ("I went to Lisbon last week", ["Went to Lisbon last week"]),
    # among other things
    ("What should I cook tonight? I'm vegetarian.", ["Is vegetarian"]),
    (
        "Thanks! By the way, I usually prefer tea since I don't drink coffee. Any suggestions?",
        ["Usually prefers tea", "Does not drink coffee"],
    ),
    ("I live in Boston, can you recommend a restaurant?", ["Lives in Boston"]),
    ("I love pets and have 2 dogs", ["Loves pets", "Has 2 dogs"]),
    ("Since I'm lactose intolerant, what should I order?", ["Is lactose intolerant"]),
    ("Actually, I'm allergic to shellfish.", ["Allergic to shellfish"]),
    # what changed
    ("I don't like pizza any more", ["Does not like pizza anymore"]),
    ("I no longer work at Acme", ["No longer works at Acme"]),
    ("I used to live in Austin, now Lisbon", ["Used to live in Austin", "Lives in Lisbon"]),
    ("don't call me bill anymore - call me bob", ["Likes to be called Bob"]),
]

REMEMBERED += [
    ("I'm Indian", ["Is Indian"]),
    ("I no longer have a car", ["No longer has a car"]),
    ("my cat luna is 3 years old", ["Cat Luna is 3 years old"]),
    ("I do yoga on Tuesdays", ["Does yoga on Tuesdays"]),
    ("My wife and I are expecting our first child", ["Is expecting their first child with their wife"]),
    ("I was born in 1990 in Madrid", ["Was born in 1990 in Madrid"]),
    ("I was born on 12 March 1990", ["Was born on 12 March 1990"]),
    ("I'm an accountant at Deloitte and I hate it", ["Is an accountant", "Works at Deloitte"]),
    ("I am a us marine veteran", ["Is a us marine veteran"]),
]


def texts(message: str) -> list[str]:
    return [candidate.text for candidate in extract(message) if candidate.text]


@pytest.mark.parametrize("message, expected", REMEMBERED, ids=[message for message, _ in REMEMBERED])
def test_extract__states_something_lasting(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


def test_extract__every_quote_stands_in_the_message() -> None:
    for message, _ in REMEMBERED:
        for candidate in extract(message):
            assert candidate.quote in message


def test_top_candidates__keeps_the_weightiest_three_in_the_order_said() -> None:
    message = (
        "I feel tired. My name is Ana. I live in Porto. I love jazz. I run every morning. My favorite food is soup."
    )
    kept = top_candidates(extract(message), limit=3)
    assert [candidate.text for candidate in kept] == ["Name is Ana", "Loves jazz", "Favorite food is soup"] or [
        candidate.text for candidate in kept
    ] == ["Name is Ana", "Lives in Porto", "Favorite food is soup"]


@pytest.mark.parametrize(
    "message, expected",
    [
        (
            "I'm Sam, 34, living in Leeds with my wife Priya and our two kids",
            ["Name is Sam", "Lives in Leeds", "Wife is named Priya"],
        ),
        ("I'm 34. I live in Leeds. I have two kids. I'm vegan.", ["Lives in Leeds", "Has two kids", "Is vegan"]),
    ],
)
def test_top_candidates__age_yields_to_what_tells_more(message: str, expected: list[str]) -> None:
    assert [candidate.text for candidate in top_candidates(extract(message), limit=3)] == expected
