"""Chat turns as people write them: what is remembered of each, and what of most is not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.rules import extract, top_candidates

SAID_AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

REMEMBERED = [
    # who they are
    ("My name is Priya", ["Name is Priya"]),
    ("hey, I'm Tom, nice to meet you", ["Name is Tom"]),
    ("call me bob", ["Likes to be called Bob"]),
    ("can you call me Ash?", ["Likes to be called Ash"]),
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
    ("i live in arizona", ["Lives in arizona"]),
    ("We just moved to Leeds", ["Moved to Leeds"]),
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
    ("I tend to avoid crowded places", ["Tends to avoid crowded places"]),
    ("I only eat kosher food", ["Only eats kosher food"]),
    ("I prefer short answers", ["Prefers short answers"]),
    # what they do and want
    ("I run every morning", ["Runs every morning"]),
    ("I go to the gym three times a week", ["Goes to the gym three times a week"]),
    ("In my free time, I go on mountain hikes.", ["Goes on mountain hikes (in their free time)"]),
    ("I play the cello", ["Plays the cello"]),
    ("I want to run a marathon next spring", ["Wants to run a marathon next spring"]),
    ("I'm saving up to buy a house", ["Is saving up to buy a house"]),
    ("I'm learning Japanese", ["Is learning Japanese"]),
    ("I'm training for an Ironman", ["Is training for an Ironman"]),
    ("My goal is to retire at 50", ["Goal is to retire at 50"]),
    ("I have blue eyes", ["Has blue eyes"]),
    ("I drive a BMW", ["Drives a BMW"]),
    # what passes
    ("I'm feeling tired", ["Feels tired"]),
    ("I feel really lonely today", ["Feels really lonely today"]),
    ("I just got back from work", ["Just got back from work"]),
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
    ("As a devout Buddhist, I avoid meat", ["Avoids meat (as a devout Buddhist)"]),
    ("Actually, I'm allergic to shellfish.", ["Allergic to shellfish"]),
    # what changed
    ("I don't like pizza any more", ["Does not like pizza any more"]),
    ("I no longer work at Acme", ["No longer works at Acme"]),
    ("I used to live in Austin, now Lisbon", ["Used to live in Austin", "Lives in Lisbon"]),
    ("don't call me bill anymore - call me bob", ["Does not want to be called Bill", "Likes to be called Bob"]),
]

REMEMBERED += [
    ("I'm Indian", ["Is Indian"]),
    ("I no longer have a car", ["No longer has a car"]),
    ("my cat luna is 3 years old", ["Cat Luna is 3 years old"]),
    ("I do yoga on Tuesdays", ["Does yoga on Tuesdays"]),
    ("My wife and I are expecting our first child", ["Is expecting their first child (with their wife)"]),
    ("I was born in 1990 in Madrid", ["Was born in 1990"]),
    ("I'm an accountant at Deloitte and I hate it", ["Is an accountant at Deloitte"]),
    ("My new job is at Netflix", ["Works at Netflix"]),
    ("I am a us marine veteran", ["Is a us marine veteran"]),
]

NOT_REMEMBERED = {
    "questions": [
        "Do I like pizza?",
        "what is my name",
        "how old am i",
        "Is my dog a good boy?",
        "where do i live",
        "I love pizza?",
        "Did you know I have a dog?",
        "can you tell me what my favorite food is",
        "should I move to Berlin",
        "How do I tell my boss that I'm allergic to nuts?",
        "what do you remember about me",
    ],
    "hedges": [
        "I might move to Berlin",
        "Maybe I like ramen",
        "I think I'm allergic to shellfish",
        "I'm thinking about getting a dog",
        "I could be a vegetarian",
        "I guess I like jazz",
        "I'd love to live in Paris",
        "I probably hate opera",
        "I may get a cat",
        "I'm considering a career in law",
        "I would prefer not to say",
        "I'm not sure I like sushi",
        "I wish I had a dog",
        "Perhaps I'm a night owl",
        "I like cilantro, I think",
        "I'm leaning towards a corgi",
        "I suppose I live for work",
    ],
    "hypotheticals": [
        "If I had a dog I would name it Rex",
        "If I lived in Japan, I'd eat sushi every day",
        "Imagine I'm a pirate. I live on a ship.",
        "Suppose I have two kids",
        "Pretend that I'm a doctor. I work at a hospital.",
        "Let's say I'm 30 years old",
        "What if I were vegan",
        "In this story I am a knight",
        "Unless I move to Madrid, we'll see each other",
    ],
    "quotes": [
        "he said 'I love pizza'",
        'She told me "I have two dogs"',
        'My teacher always said "I hate mondays"',
        "> I live in Berlin\nwhat does that mean",
        'Translate to French: "My name is Anna"',
        "Translate: I love my dog",
        "Make this grammatically correct: I likes your watch",
        "```\nI am a nurse\n```",
        "How do you say I am allergic to peanuts in Spanish",
        'The line "I am a leaf on the wind" is from Firefly',
        "Please proofread this: My name is Jo and I live in Rome.",
        "Anna: I love cats\nBen: I have a dog",
        "Write a poem about a man. I am tired of the sea.",
        "The song goes I want to break free",
    ],
    "third persons": [
        "He has red hair",
        "She loves sushi",
        "My boss says he is vegan",
        "My friend thinks I'm crazy",
        "John lives in Paris",
        "They have three dogs",
        "My coworker Dave is allergic to nuts",
        "People love pizza",
        "My neighbor has a loud dog",
        "My sister said she hates it",
        "My mom is calling me",
        "The president lives in Washington",
        "Bob is a nurse",
    ],
    "the assistant": [
        "you are great",
        "I like your answer",
        "I love this",
        "I love the idea!",
        "I don't like that suggestion",
        "I like how you explained it",
        "I prefer the second one",
        "I appreciate your help",
        "I hate it when you do that",
        "I love chatting with you",
        "You're a lifesaver",
        "I like the first option",
        "I'm impressed by you",
    ],
    "the moment": [
        "I need a taxi at 5",
        "I want to know the weather",
        "I'm looking for a hotel in Rome",
        "I'd like to book a table for two",
        "I want to buy some shoes",
        "I have a meeting at 3",
        "I have a question",
        "my check engine light is on",
        "I lost my phone",
        "I need to pay my electric bill",
        "I'm on my way",
        "I'm out of milk",
        "I have a headache, any tips?",
        "remind me to call mom",
        "I want an uber to the airport",
        "I'm going to bed",
        "I have a reservation for Frank",
        "I'm planning a trip to Rome. What should I see?",
        "I didn't catch that",
        "I'm not sure",
        "i can't say",
        "I'm good, thanks",
        "I'm sorry",
        "flip a coin, i choose heads",
        "my card is damaged",
        "I have no idea",
        "I have to go now",
        "I see",
        "I'm having trouble with this code",
        "I got an error",
        "I get it",
        "I know",
        "call me back",
        "call me a taxi",
        "call me tomorrow",
        "I'm here",
        "I'm ready",
        "I'm back",
        "I have an exam tomorrow",
        "I need help",
    ],
    "jokes": [
        "I'm a millionaire, just kidding",
        "I love mondays /s",
        "I'm literally dying",
        "I could eat a horse",
        "Yeah right, I love taxes",
        "I'm basically a vampire at this point",
        "I love traffic, said no one ever",
    ],
    "other languages": [
        "Me llamo Ana y vivo en Madrid",
        "Ich habe einen Hund",
        "J'adore la pizza",
        "私の名前は太郎です",
        "Меня зовут Иван",
        "Eu moro em Lisboa e tenho um gato",
        "我喜欢吃面条",
        "أنا أحب القهوة",
    ],
    "nothing at all": [
        "",
        " ",
        "?",
        "ok",
        "lol",
        "👍",
        "I",
        "my",
        "I am",
        "I like",
        "my favorite",
        "\x00",
        "....",
        "- - -",
    ],
}

NOT_REMEMBERED["what only looks lasting"] = [
    "I have been waiting for an hour",
    "my favorite thing about you is your patience",
    "I am the president of the US lol",
    "I told him I'm allergic to cats",
    "I'm a millionaire. Just kidding!",
    "I have a Python script that crashes",
    "I'm working on a presentation",
    "I always forget my keys",
]


def texts(message: str) -> list[str]:
    return [candidate.text for candidate in extract(message, said_at=SAID_AT) if candidate.text]


@pytest.mark.parametrize("message, expected", REMEMBERED, ids=[message for message, _ in REMEMBERED])
def test_extract__states_something_lasting(message: str, expected: list[str]) -> None:
    assert texts(message) == expected


@pytest.mark.parametrize(
    "kind, message", [(kind, message) for kind, messages in NOT_REMEMBERED.items() for message in messages]
)
def test_extract__states_nothing_of_their_own(kind: str, message: str) -> None:
    assert texts(message) == [], kind


def test_extract__every_quote_stands_in_the_message() -> None:
    for message, _ in REMEMBERED:
        for candidate in extract(message, said_at=SAID_AT):
            assert candidate.quote in message


def test_top_candidates__keeps_the_weightiest_three_in_the_order_said() -> None:
    message = (
        "I feel tired. My name is Ana. I live in Porto. I love jazz. I run every morning. My favorite food is soup."
    )
    kept = top_candidates(extract(message, said_at=SAID_AT))
    assert [candidate.text for candidate in kept] == ["Name is Ana", "Loves jazz", "Favorite food is soup"] or [
        candidate.text for candidate in kept
    ] == ["Name is Ana", "Lives in Porto", "Favorite food is soup"]
