"""How much somebody earns, owes or has: by the words around an amount, in work that grows with the text alone."""

from __future__ import annotations

import pytest

from keepsake.domain.screening.sensitive_topics import find_financial_amounts, is_financial_amount
from tests.support.effort import count_calls

_LONG = 16_000


@pytest.mark.parametrize(
    "piece", ["M-1 ", "5k ", "has 5$ ", "I earn 5$ ", "salary 5$ ", "二万 ", "a hundred ", "$5 a month "]
)
def test_a_long_text_of_amounts__takes_no_more_work_than_it_is_long(piece: str) -> None:
    short, long = (f"{piece * (length // len(piece))}x" for length in (_LONG // 4, _LONG))
    assert count_calls(find_financial_amounts, long) < 6 * count_calls(find_financial_amounts, short)


@pytest.mark.parametrize(
    "text, is_one",
    [
        ("I make 5k", True),
        ("I make 5k!", True),
        ("I make 5k and I like it", False),
        ("I make 5k, that is 400 a month", True),
        ("I have about 5k in mind", True),
        ("I have a dog, and the other day it ate 5k", False),
        (f"My salary {'is' * 20} 5k", True),
        (f"My salary {'is' * 30} 5k", False),
        (f"5k {'is' * 20} my salary", True),
        (f"5k {'is' * 30} my salary", False),
    ],
)
def test_an_amount__is_one_by_the_words_around_it(text: str, is_one: bool) -> None:  # noqa: FBT001
    assert is_financial_amount(text) is is_one
