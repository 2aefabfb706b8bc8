"""The characters that no text may hold are the same in SQL and in Python."""

from __future__ import annotations

import re
import sys

from keepsake.domain.text import FORBIDDEN_CHARACTERS, has_forbidden_characters
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
