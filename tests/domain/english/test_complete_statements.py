"""Half a sentence and a wish are no statements."""

from __future__ import annotations

import pytest

from keepsake.domain.english.complete_statements import is_complete_statement


@pytest.mark.parametrize(
    "text",
    [
        "Is running a business is not easy",
        "Is writing helps them create wild worlds",
        "Is taking a step back can really show them the beauty of life",
        "Loves is truly magical and brings so much joy",
        "Is growing up",
        "Is on another note",
        "Was a lad",
        "Believes in us",
        "Has been a crazy few days",
        "20th to the 25th",
        "4th on Sunday 7 March 2027",
        "One since September",
        "Keeps thinking",
        "Always figured they would go first",
        "Has been hoping since May",
        "Starts on Monday 22 March 2027 the 22nd",
        "Is leaving",
        "Midnight to 8",
        "Found out the hard way years ago",
        "Doctor says at least six weeks of rehab",
        "Teacher Lena reckons two more lessons",
    ],
)
def test_half_a_sentence__is_not_complete(text: str) -> None:
    assert not is_complete_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        "Is running a business that is not easy to explain",
        "Is learning Spanish and has a tutor",
        "Loves everything that is old",
        "Is growing tomatoes",
        "Was a child prodigy",
        "Was in the US for a year",
        "Has been a nurse for ten years",
        "Keeps bees",
        "Keeps kosher",
        "Has Mondays off",
        "Is up at 5 every morning",
        "Works nights",
        "Goes by May",
        "Is 69 years old",
        "Was born on 5 May 1980",
        "Doctor says they have diabetes",
        "Never says no to cake",
        "Says grace before dinner",
        "Found out about their father in May",
    ],
)
def test_a_statement__is_complete(text: str) -> None:
    assert is_complete_statement(text)


def test_a_wish__is_no_statement() -> None:
    assert not is_complete_statement("Has a great day")
    assert is_complete_statement("Has a great community")
