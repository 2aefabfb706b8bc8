"""A very long message is read up to a sentence end; every other is read whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.text import MAX_READ_LENGTH, split_outside_quotes, truncate_at_sentence


@pytest.mark.parametrize(
    "text, limit, read",
    [
        ("One. Two.", 9, ("One. Two.", False)),
        ("One. Two.", 8, ("One.", True)),
        ('He said "no!" Then left.', 20, ('He said "no!"', True)),
        ("Is it? Yes it is", 10, ("Is it?", True)),
        ("First line\nsecond line", 15, ("First line\n", True)),
        ("Version 1.2.3 of it", 12, ("Version 1.2.", True)),
        ("今天很累。明天见。", 7, ("今天很累。", True)),
        ("她说「我走了。」然后走了。", 9, ("她说「我走了。」", True)),
        ("nothing ends here", 7, ("nothing", True)),
    ],
)
def test_truncate_at_sentence(text: str, limit: int, read: tuple[str, bool]) -> None:
    """The cut falls behind the last sentence that fits; without one, at the limit."""
    assert truncate_at_sentence(text, limit) == read


@given(st.text(max_size=200), st.integers(1, 100))
def test_truncate_at_sentence__is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    read, cut = truncate_at_sentence(text, limit)
    assert text.startswith(read)
    assert len(read) <= max(limit, len(text) if not cut else 0)
    assert cut == (read != text) or cut


def test_limit__is_the_specified_one() -> None:
    assert truncate_at_sentence("x" * MAX_READ_LENGTH) == ("x" * 32_000, False)
    assert truncate_at_sentence("x" * (MAX_READ_LENGTH + 1))[1] is True


@pytest.mark.parametrize(
    "text, sentences",
    [
        ("Monday: “We won. I cried.” Tuesday: “ok”.", ["Monday: “We won. I cried.”", "Tuesday: “ok”."]),
        ("She read „Faust“. She lives in Graz.", ["She read „Faust“.", "She lives in Graz."]),
        ("Er sagte „Komm. Bitte“. Dann ging er.", ["Er sagte „Komm. Bitte“.", "Dann ging er."]),
        ("He said “come. She left. They met.", ["He said “come.", "She left.", "They met."]),
        ("", []),
    ],
)
def test_split_outside_quotes__keeps_a_quote_whole_that_ends(text: str, sentences: list[str]) -> None:
    assert split_outside_quotes(text) == sentences
