"""Words without a subject that follow clauses about others are nothing that the author says of themselves."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "said",
    [
        "the picnic is saturday at the lake, 11 kids, send help",
        "There's a new flautist in the band, Pilar, retired plumber. Plays like a bird",
        "She asks me to sing in May. June 3, Methodist church, 80 people.",
        "lena from the gym says the bakery in graz is hiring. pastry. EARLY SHIFTS",
        "Bruno is coughing again. Vet on Friday.",
        "My sister sings in a choir. Loves Bach",
        "There's a new second flute in the band, Pilar, retired plumber. Snores like a bear and I mean that kindly",
        "My new boss is Pilar. Laughs like a drain and I mean it kindly",
        "Servus! Lena Huber, aber sag Leni, sagen alle. 41, Schneiderin in Wels, im Atelier Blau",
    ],
)
def test_a_note_about_another__is_not_stored_of_the_author(said: str) -> None:
    assert [one.text for one in extract(said) if (one.key or "|self|").count("|self|")] == []


@pytest.mark.parametrize(
    "said, text",
    [
        ("single mom, my son starts school soon", "Is a single mom"),
        ("The train was late again, I'm in Graz. Vegetarian, 2 kids", "Has 2 kids"),
        ("I live in Graz and have two dogs", "Has two dogs"),
        ("Hi there! Lives in Graz, works as a nurse", "Lives in Graz"),
        ("I work nights so I sleep during the day", "Sleeps during the day"),
        ("The kids are at school till 3 so I paint in the mornings", "Paints in the mornings"),
    ],
)
def test_a_note_of_the_author__is(said: str, text: str) -> None:
    assert text in [one.text for one in extract(said)]


@pytest.mark.parametrize(
    "said",
    [
        "duarte is taking tomás to school tomorrow so i make it on time",
        "dad will watch the shop so i make it to the dentist",
    ],
)
def test_what_something_is_done_for__is_no_habit(said: str) -> None:
    assert not [one.text for one in extract(said) if "|habit|" in (one.key or "")]
