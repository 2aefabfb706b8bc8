"""A clause that leaves its predicate out says nothing by itself: "I don't eat meat but my wife does"."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "said",
    [
        "I don't like my job but my wife does",
        "My wife doesn't like her job but I do",
        "I can't swim but my wife can",
        "The soup isn't good but my son is",
        "My husband has no kids. I do",
        "My wife needs glasses. I don't",
        "My mum says I snore. I don't",
        "My brother does karate. I did",
    ],
)
def test_clause_without_its_predicate__says_nothing(said: str) -> None:
    last = {"does", "do", "can", "is", "not", "did"}
    assert not [one.text for one in extract(said) if one.text.rpartition(" ")[2] in last]
