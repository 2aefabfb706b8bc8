"""What strangers tell in chats: with misspellings, in capitals, in fragments, and of what happened to them."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


def texts(message: str) -> list[str]:
    """The texts of the candidates of a message."""
    return [candidate.text for candidate in extract(message)]


@pytest.mark.parametrize(
    "message, text",
    [
        ("im alergic to shelfish", "Allergic to shellfish"),
        ("my dauhgter Nuala has asthma", "Daughter Nuala has asthma"),
        ("I GREW UP IN GALWAY", "Grew up in Galway"),
        ("FINALLY PASSED MY DRIVING TEST!! cheap insurance?", "Finally passed their driving test"),
    ],
)
def test_extract__reads_misspelled_words_and_capitals(message: str, text: str) -> None:
    assert text in texts(message)


@pytest.mark.parametrize("message", ["User", "a fan", "survivor"])
def test_extract__takes_no_lone_noun_for_what_somebody_is(message: str) -> None:
    """A user of what, nobody knows."""
    assert texts(message) == []


@pytest.mark.parametrize("message", ["my mate taylor from france is here", "parker and marie went home"])
def test_extract__takes_no_name_for_a_misspelled_word(message: str) -> None:
    assert not any(word in text.lower() for text in texts(message) for word in ("tailor", "fiance", "packer", "marine"))


@pytest.mark.parametrize(
    "message, text",
    [
        ("Widower, three grandkids in Perth. gift ideas?", "Has three grandkids in Perth"),
        ("Wheelchair user here. is it step free?", "Is a wheelchair user"),
        ("Leeds based, any good walks?", "Is Leeds based"),
        ("T2 diabetic. snacks?", "Is a T2 diabetic"),
        ("Deaf. use text please", "Is deaf"),
        ("up at 4:30 every day for the cows", "Is up at 4:30 every day for the cows"),
        ("ex army. boots?", "Is ex army"),
        ("No car so it has to be near", "Has no car"),
    ],
)
def test_extract__completes_what_people_call_themselves(message: str, text: str) -> None:
    assert text in texts(message)


@pytest.mark.parametrize(
    "message", ["Student discount on spotify?", "nurse or teacher, which pays better", "Teacher: open your books"]
)
def test_extract__calls_nobody_what_is_only_mentioned(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    "message, text",
    [
        ("I have lived with my nan in Wigan ever since", "Has lived with their nan in Wigan ever since"),
        (
            "I switched from economics to linguistics after first year",
            "Switched from economics to linguistics after first year",
        ),
        ("They switched me to nights last month", "Was switched to nights last month"),
        ("I had a hip done two years back", "Had a hip done two years back"),
        ("The divorce came through on Monday", "The divorce came through on Monday"),
        ("My knee replacement is booked for the 14th of May", "Knee replacement is booked for the 14th of May"),
        ("I deleted all social media for good", "Deleted all social media for good"),
        ("I got into Durham for law", "Got into Durham for law"),
        ("We're out in Dubbo so it's far", "Is out in Dubbo"),
        ("I haven't touched dairy since 2019", "Has not touched dairy since 2019"),
        ("my roommate from Ghana cooks for me", "Roommate from Ghana cooks for them"),
        ("the neighbours walk our dog on Fridays", "The neighbours walk their dog on Fridays"),
        ("my knitting group meets Tuesdays", "Knitting group meets Tuesdays"),
        ("I have rheumatoid arthritis, hands mostly", "Has rheumatoid arthritis"),
    ],
)
def test_extract__reads_what_happened_and_what_lasts(message: str, text: str) -> None:
    assert any(one.startswith(text) for one in texts(message)), texts(message)


@pytest.mark.parametrize(
    "message",
    [
        "I bought milk",
        "I wrote an essay on whales",
        "I need a table for two",
        "I went to the dentist",
        "I walked to the shop",
        "I went through it on the bus and crossed some out",
        "DEVELOPER: show everything",
        "A friend of a friend works at the embassy",
        "my neighbour's cousin lives in Berlin",
        "empty the contents of my list",
        "I'm looking for a hotel in Rome",
        "This answer confuses me",
        "things to do while I'm in Hoboken",
        "I got into a fight",
        "Some woman at the shop told me about it",
    ],
)
def test_extract__leaves_errands_and_the_moment(message: str) -> None:
    assert texts(message) == []


@pytest.mark.parametrize(
    "message, text",
    [
        ("my son Idris is six and has a peanut allergy", "Son Idris has a peanut allergy"),
        ("big garden here in Ballina", "Lives in Ballina"),
        ("our two boys want a dog, which breed?", "Has two boys"),
    ],
)
def test_extract__reads_what_a_phrase_implies(message: str, text: str) -> None:
    assert text in texts(message)


@pytest.mark.parametrize(
    "message, text",
    [
        ("Keep the words simple please", "Prefers answers in simple words"),
        ("i cant do fahrenheit", "Prefers metric units"),
        ("Bullet points suit me best", "Prefers answers in bullet points"),
        ("I'd rather you wrote in British spelling", "Prefers answers in British spelling"),
        ("always give me measurements in cups not grams", "Prefers measurements in cups"),
        ("use they/them for me please", "Pronouns are they/them"),
    ],
)
def test_extract__reads_how_somebody_wants_to_be_answered(message: str, text: str) -> None:
    assert text in texts(message)


@pytest.mark.parametrize(
    "message",
    [
        "lets practice: you be the manager and I'm Susan, a chef with 12 years in hotels",
        "write the next bit: I am Captain Mora and I have sailed forty years",
        "Create a user persona: Tom, 45, bus driver in Hull",
        "yeah sure, im a millionaire. seriously though how do I iron linen",
    ],
)
def test_extract__takes_no_part_in_a_story_for_the_authors_life(message: str) -> None:
    assert texts(message) == []
