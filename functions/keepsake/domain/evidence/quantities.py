"""Checks the numbers of a statement: each stands in the texts it rests on, in figures or in words, or follows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from keepsake.domain.evidence.dates import blank_dates
from keepsake.domain.evidence.grounds import Grounds
from keepsake.domain.evidence.language_words import number_names
from keepsake.domain.evidence.text_forms import fold, folded_words
from keepsake.domain.text import strip_invisible

_FIGURES = re.compile(r"\d+(?:[.,:' \u00a0](?=\d)\d+)*(?P<thousand>k\b)?", re.IGNORECASE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[.,' \u00a0]\d{3})+k?", re.IGNORECASE)
"""A number whose digits are in groups, which is one number and no other: "329,000"."""
_PART = re.compile(r"\d+")
_CHARACTERS = {"两": 2, "兩": 2} | {one: int(unicodedata.numeric(one)) for one in "二三四五六七八九十百千"}
_CJK_NUMBER = re.compile(f"[一万{''.join(_CHARACTERS)}]+(?=[年岁歲個个個次月日天点點只隻人口度回歳台匹頭本枚冊])")
_GROUPED = {
    "couple": 2, "pair": 2, "both": 2, "twins": 2, "twin": 2, "dozen": 12, "half": 30, "quarter": 15, "single": 1,
}  # fmt: skip
_HOURS = 12
_AND_A_HALF = re.compile(r"(\d+)[.,]5")
_HALF_PAST = re.compile(r"(\d{1,2})[:.]30")
_HALF_BEFORE = frozenset({"de", "nl", "sv", "da", "no"})
"""Languages in which half an hour is named by the hour after it: "halb neun" is 8:30."""
_MIN_PREFIX = 3
_SMALL = 12


def unsupported_numbers(statement: str, grounds: Grounds) -> list[str]:
    """The numbers of a statement that no text of its grounds has; numbers of dates are left to the check of dates.

    A number also follows from a word ("third", "couple", "drei"), another form ("20k", "20,000"), an hour (5 pm is
    17), and the year of an age.
    """
    rest = blank_dates(statement, grounds.languages)
    known = _known_numbers(grounds)
    said = set(folded_words(grounds.text))
    missing = [
        figure
        for figure, values, parts in _figures(rest)
        if not (_is_known(values, parts, known, grounds) or _is_half_before(figure, known, grounds))
    ]
    cardinals = number_names(grounds.languages or frozenset({"en"}), "c")
    for word, value in _values_in_words(folded_words(rest), cardinals):
        if value not in known and not set(word.split("-")) <= said:
            missing.append(word)
    for match in _CJK_NUMBER.finditer(rest):
        values = {_CHARACTERS[character] for character in match[0] if character in _CHARACTERS}
        if values and match[0] not in grounds.text and not values & known:
            missing.append(match[0])
    return missing


def _figures(text: str) -> Iterator[tuple[str, set[int], list[int]]]:
    """The numbers in figures: what each may mean as one, and its parts where it has any, as those of a time."""
    for match in _FIGURES.finditer(text):
        digits = _PART.findall(match[0])
        parts = [int(part) for part in digits[:6] if len(part) <= 15]
        joined = "".join(digits)
        joint = int(joined) if len(joined) <= 15 else 0
        is_one = len(digits) == 1 or _THOUSANDS.fullmatch(match[0])
        if half := _AND_A_HALF.fullmatch(match[0]):
            parts = [int(half[1]), _GROUPED["half"]]  # or else the digits, which are the number as a whole
        yield match[0], {joint, joint * 1000} if match["thousand"] else {joint}, [] if is_one else parts


def _is_known(values: set[int], parts: Sequence[int], known: frozenset[int], grounds: Grounds) -> bool:
    """Whether one reading of a number is known, or all its parts, or a word for it begins like one of the grounds."""
    if values & known or values <= {1} or (parts and all(part in {0, *known} for part in _on_clock(parts, known))):
        return True
    if any(value in _hours(known) and value <= 2 * _HOURS for value in values):
        return True
    return any(_is_inflected(value, grounds) for value in values)


def _on_clock(parts: Sequence[int], known: frozenset[int]) -> Sequence[int]:
    """The parts of a number; without its first, where that is an hour that is known on the other half of the clock."""
    return parts[1:] if parts[0] <= 2 * _HOURS and parts[0] in _hours(known) else parts


def _hours(known: frozenset[int]) -> set[int]:
    return {value + _HOURS for value in known if value <= _HOURS} | {value - _HOURS for value in known}


def _is_half_before(figure: str, known: frozenset[int], grounds: Grounds) -> bool:
    """Whether a time is half an hour before an hour that is named so."""
    time = _HALF_PAST.fullmatch(figure)
    if time is None or grounds.code not in _HALF_BEFORE:
        return False
    is_half = any(word.startswith("hal") for word in folded_words(grounds.text))
    return is_half and (int(time[1]) + 1) % _HOURS in {hour % _HOURS for hour in known}


def _is_inflected(value: int, grounds: Grounds) -> bool:
    """Whether a word of the grounds is a form of the word for a number ("dvije" of "dva", "zweiundzwanzig")."""
    if grounds.code == "en":
        return False
    said = folded_words(grounds.text)
    names = number_names(grounds.languages)
    forms = [name for name, number in names.items() if number == value and len(name) > 1]
    if value <= _SMALL or value % 10 == 0:
        return any(
            word[: min(_MIN_PREFIX, len(name) - 1)] == name[: min(_MIN_PREFIX, len(name) - 1)]
            and len(word) <= len(name) + _MIN_PREFIX
            for name in forms
            for word in said
        )
    tens = [name for name, number in names.items() if number == value - value % 10]
    units = [name for name, number in names.items() if number == value % 10]
    return any(unit in word and ten in word for ten in tens for unit in units for word in said)


@lru_cache(maxsize=128)
def _numbers_in(text: str, languages: frozenset[str]) -> frozenset[int]:
    found: set[int] = set()
    for _, values, parts in _figures(strip_invisible(text)):
        found |= {*values, *parts}
    said = folded_words(text)
    names = number_names(languages)
    found |= {names[word] for word in said if word in names}
    found |= {_GROUPED[word] for word in said if word in _GROUPED}
    found |= {value for _, value in _values_in_words(said, names)}
    found |= {_CHARACTERS[character] for character in fold(text) if character in _CHARACTERS}
    return frozenset(found)


def _known_numbers(grounds: Grounds) -> frozenset[int]:
    """The numbers of the grounds, and the ages and years that follow from them."""
    found = {number for said in grounds.said for number in _numbers_in(said.text, grounds.languages)}
    for said in grounds.said:
        if said.on is not None:
            found |= {said.on.year - number for number in found if 1900 <= number <= said.on.year}
    return frozenset(found)


def _values_in_words(words: tuple[str, ...], names: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """The numbers in words, "twenty-two" as one."""
    index = 0
    while index < len(words):
        value = names.get(words[index])
        if value is not None:
            unit = names.get(words[index + 1]) if index + 1 < len(words) else None
            if unit is not None and value % 10 == 0 and 20 <= value < 100 and unit < 10:
                yield f"{words[index]}-{words[index + 1]}", value + unit
                index += 2
                continue
            yield words[index], value
        index += 1
