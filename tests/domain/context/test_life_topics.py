"""What every context needs: allergies, diets, and foods that a person does without, however it was said."""

from __future__ import annotations

import pytest

from keepsake.domain.context.life_topics import must_not_be_missed
from tests.support.memories import memory, stated_memory


@pytest.mark.parametrize(
    "text",
    [
        "Is coeliac",
        "Is diabetic",
        "Eats no gluten",
        "Does not eat meat",
        "Avoids lactose",
        "Cannot have dairy",
        "Is vegan",
    ],
)
def test_what_a_person_must_do_without__is_not_missed(text: str) -> None:
    assert must_not_be_missed(stated_memory(text))


def test_an_allergy_that_is_told_by_its_medicine__is_not_missed() -> None:
    assert must_not_be_missed(memory("Carries an epipen for shellfish"))
    assert not must_not_be_missed(memory("Sister carries an epipen"))


@pytest.mark.parametrize(
    "said",
    ["I carry an epipen for shellfish", "always have my epipen on me because of peanuts", "I have coeliac disease"],
)
def test_an_allergy_that_rules_read_as_a_habit_or_a_thing__is_not_missed(said: str) -> None:
    assert must_not_be_missed(stated_memory(said))


@pytest.mark.parametrize(
    "text",
    [
        "Likes milk",
        "I am not coeliac",
        "Sister eats no gluten",
        "Has a diabetic cat",
        "Has a friend who carries an epipen",
        "Is married to a vegan",
        "Runs a vegan bakery",
        "Does not eat breakfast",
    ],
)
def test_what_only_has_such_words__is_no_restriction(text: str) -> None:
    assert not must_not_be_missed(stated_memory(text))
