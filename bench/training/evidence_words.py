"""Writes the names of months and weekdays and the numbers in words, which the checks of evidence look up.

It needs the packages ``babel`` (names of CLDR) and ``num2words``, which nothing else does:

    python -m bench.training.evidence_words
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

_DATA = Path(__file__).resolve().parents[2] / "functions" / "keepsake" / "domain" / "evidence" / "data"
_EUROPE = "en de fr es pt it nl sv nb da fi is pl cs sk hr sl sr ro hu tr ru uk be bg el lt lv et ca gl eu sq"
_ELSEWHERE = "vi id ms sw hi bn ta te mr gu pa ur ar he fa ja ko zh th ka hy az"
_LANGUAGES = f"{_EUROPE} {_ELSEWHERE}".split()
_CODES = {"nb": "no"}
_MORE_NAMES = {("en", "d", 1): ("tues",), ("en", "d", 2): ("weds",), ("en", "d", 3): ("thur", "thurs")}
"""Names that CLDR does not have."""
_SAME_NUMBERS = {"hr": "sr"}
_VALUES = (*range(2, 21), 30, 40, 50, 60, 70, 80, 90, 100, 1000)
_MIN_ABBREVIATION = 3
_LAST = "月一二三四五六日曜"
"""The last characters of the names of Chinese months and weekdays."""


def main() -> None:
    """Write ``calendar_names.txt`` and ``number_names.txt``."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    (_DATA / "calendar_names.txt").write_text("\n".join(_calendar()) + "\n", encoding="utf-8")
    (_DATA / "number_names.txt").write_text("\n".join(_numbers()) + "\n", encoding="utf-8")


def _calendar() -> list[str]:
    locale = import_module("babel").Locale
    lines = ["# Names of CLDR, by bench/training/evidence_words.py: language, m (month) or d (weekday), number, names."]
    for language in _LANGUAGES:
        names = locale.parse(language)
        for kind, table, numbers in (("m", names.months, range(1, 13)), ("d", names.days, range(7))):
            for number in numbers:
                forms = {
                    table[context][width][number].casefold().strip(" .॰")
                    for context in ("format", "stand-alone")
                    for width in ("wide", "abbreviated")
                }
                forms.update(_MORE_NAMES.get((language, kind, number), ()))
                written = sorted(form for form in forms if _is_clear(form) and " " not in form)
                if written:
                    lines.append(f"{_CODES.get(language, language)} {kind} {number} {' '.join(written)}")
    return lines


def _is_clear(form: str) -> bool:
    """Whether a name is no abbreviation that could be any word; two characters of Chinese are a name."""
    if len(form) >= _MIN_ABBREVIATION:
        return True
    return len(form) == _MIN_ABBREVIATION - 1 and not form.isascii() and not form[0].isdigit() and form[-1] in _LAST


def _numbers() -> list[str]:
    module = import_module("num2words")
    lines = ["# Numbers, by bench/training/evidence_words.py: language, c (cardinal) or o (ordinal), number, name."]
    for language in _LANGUAGES:
        code = _CODES.get(language, language)
        for value in _VALUES:
            for form in ("cardinal", "ordinal"):
                name = _name(module, value, _SAME_NUMBERS.get(code, code), form)
                if name and " " not in name and not name.isdigit():
                    lines.append(f"{code} {form[0]} {value} {name}")
    return lines


def _name(module: object, value: int, language: str, form: str) -> str:
    """The number in words; empty where the package does not know it."""
    try:
        return str(module.num2words(value, lang=language, to=form)).casefold().strip()  # type: ignore[attr-defined]
    except (NotImplementedError, OverflowError, TypeError, IndexError, KeyError):
        return ""


if __name__ == "__main__":
    main()
