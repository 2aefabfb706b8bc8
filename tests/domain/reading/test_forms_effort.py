"""Forms are compared with words in bounded work, whatever a message repeats: no pattern's test sees them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from keepsake.domain.reading import read
from keepsake.domain.reading.commands import recognize
from keepsake.domain.reading.statements import read_other_language
from tests.support.effort import count_calls

SAID_AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
UNITS = [
    "i live in the old ",
    "my sister and my brother and ",
    "i am allergic to eggs and ",
    "i have two cats and three dogs, ",
    "remind me to call her tomorrow and ",
    "forget that you know that i said ",
    "i no longer work at the same ",
    "my name is Ana or rather ",
    "ich wohne in der alten ",
    "meine Schwester heißt und mein Bruder ",
]


def read_all(message: str) -> None:
    """Everything that reads a message by forms."""
    read(message, said_at=SAID_AT)
    read_other_language(message)
    recognize(message)


@pytest.mark.parametrize("unit", UNITS)
def test_a_message_that_repeats_how_forms_begin__is_read_with_little_work(unit: str) -> None:
    """Four times the length costs less than six times the work; to try all ways of a form would cost sixteen times."""
    short, long = (count_calls(read_all, (unit * 100)[:length]) for length in (360, 1_440))
    assert long < 6 * short
