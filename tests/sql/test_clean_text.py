"""The characters that no text may hold, and those that cleaning removes, are the same in SQL and in Python."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keepsake.domain.text import FORBIDDEN_CHARACTERS, clean_text, has_forbidden_characters
from tests.fixtures.db import Clone

_LINE_BREAKS = {ord("\t"), ord("\n")}
"""Pass in SQL; columns of one line have a check of their own, and Python reads texts of one line."""
_REFUSED = """
    select code from generate_series(1, 1114111) code
    where code not between 55296 and 57343 and not keepsake.is_clean_text(chr(code))
"""


def test_forbidden_characters__are_the_same_in_sql_and_python(db: Clone) -> None:
    """Over all code points; NUL and surrogates cannot be asked about, as Postgres holds none."""
    pattern = re.compile(f"[{FORBIDDEN_CHARACTERS}]")
    asked = [code for code in range(1, sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    in_python = {code for code in asked if pattern.match(chr(code))}
    assert {row["code"] for row in db.all(_REFUSED)} == in_python
    assert {code for code in asked if has_forbidden_characters(chr(code))} == in_python | _LINE_BREAKS


def test_forbidden_characters__hold_what_postgres_cannot() -> None:
    assert has_forbidden_characters("\x00")
    assert has_forbidden_characters("\ud800")


_AROUND = "al{}ef .{}x a{}\u0301 \u0915{}\u0937"
"""Where a character stands: in a word, behind a sentence, before an accent, in a script that joins letters."""


def test_clean_text__is_the_same_in_sql_and_python(db: Clone) -> None:
    """Over all characters that are not letters, but for the line separators, which part lines in Python alone."""
    asked = [
        chr(code)
        for code in range(0x80, sys.maxunicode + 1)
        if unicodedata.category(chr(code))[0] in "CMZ" and unicodedata.category(chr(code)) not in {"Cn", "Co", "Cs"}
    ]
    texts = [_AROUND.format(*[one] * 4) for one in asked if one not in "\u2028\u2029"]
    cleaning = "select keepsake.clean_text(t) as cleaned from unnest(%s::text[]) with ordinality u (t, n) order by n"
    rows = db.all(cleaning, (texts,))
    differ = [text for text, row in zip(texts, rows, strict=True) if row["cleaned"] != clean_text(text)]
    assert not differ
    assert len(texts) > 2000


@pytest.mark.parametrize(
    "written, cleaned",
    [
        ("Zoe\u0308", "Zoë"),
        ("\ufeffI live in Os\u200blo", "I live in Oslo"),
        ("I live in Os\U000e0041lo", "I live in Oslo"),
        ("I live in Oslo.\u200bI love jazz.", "I live in Oslo. I love jazz."),
        ("a \U0001f468\u200d\U0001f469\u200d\U0001f467 photo", "a \U0001f468\u200d\U0001f469\u200d\U0001f467 photo"),
        ("می\u200cکند", "می\u200cکند"),
        ("un\u200cseen", "unseen"),
        ("plain ASCII\ttext\n", "plain ASCII\ttext\n"),
    ],
)
def test_clean_text(db: Clone, written: str, cleaned: str) -> None:
    """What no reader sees is gone; joiners stay where a script or a picture needs them."""
    assert clean_text(written) == cleaned
    assert db.value("select keepsake.clean_text(%s)", (written,)) == cleaned


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_clean_text__twice_is_once(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)
