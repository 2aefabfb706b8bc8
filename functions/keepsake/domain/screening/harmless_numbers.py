"""Recognizes numbers that are no secret by form: dates, years, times, coordinates, prices, versions, phone numbers."""

from __future__ import annotations

import re
from datetime import date

_YEAR = re.compile(r"(?:1[89]|20)\d\d(?:\s?[-/]\s?(?:(?:1[89]|20)\d\d|\d\d))?")
_DATE = re.compile(
    r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})(?:[ T]\d{1,2}(?:[:.]\d\d){0,2})?"
    r"|(\d{4})(\d\d)(\d\d)(?:[ T]?\d{2}:?\d{2}(?::?\d{2})?)?"
)
_COORDINATES = re.compile(r"[-+]?\d{1,3}\.\d{2,10}\W{1,4}[-+]?\d{1,3}\.\d{2,10}")
_COORDINATE_BEFORE = re.compile(r"\d{1,3}\.\d{2,10}\W{1,3}[-+]?\Z|(?<!\d)\d{1,3}\.\Z")
_PHONE_BEFORE = re.compile(r"\+\s?\Z|\+\s?\d{1,3}[\s./-]\(?\Z")
_WINDOW = 24
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_SPELLED_DATE = rf"{_MONTH}[ -]{_DAY}(?:[ -]|, ?)(?:19|20)\d\d|{_DAY}[ -](?:of )?{_MONTH}(?:[ -]|, ?)(?:19|20)\d\d"
_PRICE = r"[$€£¥]\d[\d.,]{0,12}(?:[km]\b)?(?: ?/ ?[a-z]{1,8})?"
_VERSION = r"v\d{1,4}(?:\.\d{1,6}){1,4}"
_HARMLESS = re.compile(rf"(?<![\w.$-])(?:{_SPELLED_DATE}|{_PRICE}|{_VERSION})(?![\w$-]|[.,/]\w)", re.IGNORECASE)


def is_date_or_year(number: str) -> bool:
    """Whether a number is a year, a range of years or a plausible date, with or without a time."""
    if _YEAR.fullmatch(number):
        return True
    match = _DATE.fullmatch(number)
    if match is None:
        return False
    first, second, third = map(int, filter(None, match.groups()))
    orders = [(first, second, third)] if first > 31 else [(third, second, first), (third, first, second)]
    return any(_is_date(*order) for order in orders)


def _is_date(year: int, month: int, day: int) -> bool:
    if year < 100:
        year += 1900
    try:
        date(year, month, day)
    except ValueError:
        return False
    return 1800 <= year < 2100


def is_coordinate(text: str, start: int, end: int) -> bool:
    """Whether the part of the text is a pair of coordinates, or the second of one."""
    part = text[max(0, start - 1) : end].lstrip()
    return _COORDINATES.fullmatch(part) is not None or (
        "." in text[max(0, start - 4) : end]
        and _COORDINATE_BEFORE.search(text[max(0, start - _WINDOW) : start]) is not None
    )


def is_international_phone(text: str, start: int) -> bool:
    """Whether the number that begins here follows a plus sign, as phone numbers with a country code do."""
    return _PHONE_BEFORE.search(text[max(0, start - 6) : start]) is not None


def blank_harmless_numbers(text: str) -> str:
    """The text with blanks where a date with the name of its month, a price or a version stands."""
    return _HARMLESS.sub(lambda match: " " * len(match[0]), text)
