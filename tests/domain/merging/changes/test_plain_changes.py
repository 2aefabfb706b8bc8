"""What a message plainly says is over ends; what may have changed is in doubt; and other memories stay as they are."""

from __future__ import annotations

import pytest

from tests.support.changes import is_doubted, is_ended
from tests.support.shares import wrong_share

MAX_WRONG = 0.1
"""Of short messages, of which each training of the classifiers may turn some."""
MAX_ONLY_DOUBTED = 0.3
"""Of what is plainly over: to end what still holds is worse than to ask."""

OVER = [
    ("Works at Acme", "got made redundant last week"),
    ("Works at Acme", "I was let go"),
    ("Is a ward sister at St Jude's", "officially retired!"),
    ("Is a plumber", "I've hung up my tools"),
    ("Is a football coach", "I stepped down in may"),
    ("Studies law", "dropped out of uni"),
    ("Studies biology", "I just graduated!"),
    ("my boyfriend is Jake", "jake and i broke up"),
    ("my boyfriend is Jake", "Jake passed away"),
    ("Wife is a pilot", "we got divorced this summer"),
    ("my fiance is Kim", "I called off the engagement"),
    ("Wife is a pilot", "we called it quits in may"),
    ("Has a fiat", "sold the fiat"),
    ("Drives a red fiat", "I finally sold my fiat last week"),
    ("Drinks coffee every morning", "cut out coffee completely"),
    ("Likes yoga", "I stopped with yoga because it hurt"),
    ("I want to move to Berlin", "berlin fell through, staying in Warsaw"),
    ("Is going to Japan in May", "we're not going to Japan after all"),
    ("Is going to Lisbon in May", "I cancelled the lisbon trip"),
    ("Is engaged to Lukas", "we got married on saturday"),
    ("Is engaged", "we're married now!"),
    ("my wife is pregnant, due in May", "Baby Juno is here!!"),
    ("Is expecting a baby", "our son Elio was born on monday"),
    ("Is having a baby in July", "my wife gave birth"),
    ("my sister Ana is pregnant", "Ana had her baby"),
    ("my wife is expecting", "my wife finally gave birth"),
    ("Is vegan", "eating meat again"),
    ("Is vegetarian", "I eat meat now"),
    ("Cannot eat eggs", "I can eat eggs again!"),
    ("Eats no lactose", "we can finally have lactose again"),
    ("Wants to learn Spanish", "I'm going to learn Greek rather than Spanish"),
    ("Works at Tesco", "not at Tesco any more"),
    ("Lives in Leeds", "I'm not in Leeds any more"),
]


def test_what_is_plainly_over__ends_or_is_in_doubt() -> None:
    share, wrong = wrong_share({f"{memory} / {message}": is_doubted(memory, message) for memory, message in OVER})
    assert share <= MAX_WRONG, wrong
    assert wrong_share({message: is_ended(memory, message) for memory, message in OVER})[0] <= MAX_ONLY_DOUBTED


DOUBTFUL = [
    ("Lives in Austin", "we're in Denver now, moved two weeks ago"),
    ("Is going to Japan in May", "the japan trip got cancelled"),
    ("Lives in Leeds", "moved again lol"),
    ("Lives in Leeds", "we moved house last week"),
    ("Works as a pastry cook in a hotel", "I work as a baker now, in my own shop"),
    ("Works at Acme", "these days I work for the council"),
    ("Works at Acme", "handed in my notice today!"),
    ("Works at Acme", "I just gave my two weeks notice"),
    ("Has two kids", "we just had our third!"),
    ("Has one child", "we had another baby last week"),
]


def test_what_may_have_changed__is_in_doubt() -> None:
    share, wrong = wrong_share(
        {
            f"{memory} / {message}": is_doubted(memory, message) and not is_ended(memory, message)
            for memory, message in DOUBTFUL
        }
    )
    assert share <= MAX_WRONG, wrong


OF_SOMETHING_ELSE = [
    ("Works at Acme", "my sister was let go"),
    ("Lives in Rome", "got made redundant last week"),
    ("Is a plumber", "my dad retired"),
    ("Works at Acme", "handed my essay in thursday"),
    ("Lives in Rome", "officially retired!"),
    ("Studies law", "my cousin dropped out of uni"),
    ("Lives in Rome", "I just graduated!"),
    ("Lives in Leeds", "my parents moved again"),
    ("Lives in Leeds", "I moved on"),
    ("my boyfriend is Jake", "kim and i broke up"),
    ("my boyfriend is Jake", "Kim passed away"),
    ("Wife is a pilot", "my parents got divorced"),
    ("Brother is a pilot", "we got divorced this summer"),
    ("Has a fiat", "my dad sold the fiat"),
    ("Likes pizza", "sold the pizza"),
    ("Drinks coffee every morning", "cut out tea"),
    ("Drinks coffee every morning", "my mum cut out coffee"),
    ("I want to move to Berlin", "paris fell through"),
    ("Is going to Japan in May", "we're not going to Rome after all"),
    ("Likes Japan", "I cancelled the japan trip"),
    ("Is engaged to Lukas", "my cousin got married"),
    ("Is engaged", "we want to get married in June"),
    ("my wife is pregnant", "my neighbor's baby is here"),
    ("my wife is a nurse", "Baby Juno is here!!"),
    ("my sister Ana is pregnant", "Baby Juno is here!!"),
    ("my wife is pregnant", "our son was born three years ago"),
    ("my wife Hana is pregnant", "her sister had a baby"),
    ("my sister Ana is pregnant", "Ana's friend had her baby"),
    ("Is vegan", "they eat meat now"),
    ("Lives in Rome", "eating meat again"),
    ("Eats no lactose", "is lactose ok in this?"),
    ("Eats no gluten", "I can eat lactose again"),
    ("Works at Acme", "I also work at a bar now"),
    ("Has cancer", "the cancer is back"),
    ("Works at Acme", "she works at Aldi now"),
    ("Works at Acme", "they gave me no notice"),
    ("Lives in Leeds", "handed in my notice today!"),
    ("Lives in Austin", "we're in Denver now, the flight was fine"),
    ("Lives in Austin", "Bob is in Denver now"),
    ("Has two kids", "we had our third date"),
    ("Has two kids", "my sister had another baby"),
    ("Wants to open a chocolate shop", "I want to eat fruit instead of chocolate"),
    ("Wants to eat less chocolate", "I want to eat fruit instead of chocolate"),
    ("Wants to learn Spanish", "my sister wants to learn Greek instead of Spanish"),
    ("Works at Tesco", "not at Aldi any more"),
    ("Works at Tesco", "not at work any more"),
]


def test_what_is_said_of_something_else__changes_nothing() -> None:
    share, wrong = wrong_share(
        {f"{memory} / {message}": not is_doubted(memory, message) for memory, message in OF_SOMETHING_ELSE}
    )
    assert share <= MAX_WRONG, wrong


def test_the_name_of_somebody_in_the_family__stays() -> None:
    assert not is_doubted("my daughter is named Karen", "Karen and Max flew in without telling me!!")


@pytest.mark.parametrize(
    "memory, message",
    [
        ("I work at Tesco", "Tesco let me take Friday off"),
        ("I have a dog named Rex", "No more chicken for Rex, he gets sick"),
        ("my husband is Tom", "Tom isn't sick any more"),
        ("I have a baby", "I dropped my baby off"),
        ("I have a laptop", "I dropped my laptop"),
    ],
)
def test_what_is_over_about_a_thing__does_not_end_it(memory: str, message: str) -> None:
    assert not is_ended(memory, message)


def test_somebody_who_is_not_named__ends_no_memory() -> None:
    assert not is_ended("my husband is named Jonas", "we let him go. I didn't cry until I saw the leash")
