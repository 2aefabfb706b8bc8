"""Finds access codes and passwords by their value: digits or tokens near a door, a phone, an account or the like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.screening.harmless_numbers import blank_harmless_numbers, is_date_or_year

_WORDS = {section: frozenset(words) for section, words in load_sections("access_codes", __package__).items()}
_PASSWORD_NOUNS = _WORDS["code_nouns"] | _WORDS["token_nouns"]
_ACCESS_NOUNS = _WORDS["code_nouns"] | _WORDS["opened_nouns"]
_GROUPS = r"\d{1,4}(?:[ -]\d{1,4}){2,7}|\d{3}[ -]\d{3}|\d{3,8}|\d{14,20}|[A-Z]{1,2}\d{3,5}|\d{2,5}[A-Z]{1,2}"
_VALUE = re.compile(rf"(?<![\w.,:/@$€£¥+-])(?P<value>(?:{_GROUPS})[#*]?)(?![\w%°€$£]|[.,:/-]\d|\s(?:to|bis|-)\s\d)")
_MIXED = r"(?=\S{0,60}\d)(?=\S{0,60}[a-z])(?=\S{0,60}[^\W\d])\S{6,60}?"
_TOKEN = re.compile(
    rf"(?<!\S)[\"'(]?(?P<value>{_MIXED}|[a-z]{{3,12}}(?:[-_][a-z]{{3,12}}){{2,6}})[\"'),.;!?]{{0,3}}(?!\S)"
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[=:#→–—]|->|-(?=\s)")
_NEXT = re.compile(r"[\s\"')]{0,3}(?P<word>[^\W\d_]+)")
_END = re.compile(r"[.!?](?=\s)|\n")
_NO_PASSWORD = re.compile(
    r"\d[\d.,]{0,20}(?:st|nd|rd|th|s|am|pm|kg|km|cm|mm|gb|tb|mb|mhz|ghz|kwh|min|x|k)?\Z"
    r"|https?:|www\.|[^\s@]{1,60}@[^\s@]{1,60}\.\w|#\w",
    re.IGNORECASE,
)
_HARMLESS_NAME = re.compile(
    r"\b(?:phone|mobile|cell|fax|telephone|house|flat|apartment|office|room|handy|zip|postal|post|area|country|dialing|"
    r"dress|flight|error|promo|discount|coupon|voucher|exit|status|morse|source|qr|color|airport|order|product|course)"
    r" ?(?:number|code|no\b)s?|\b(?:phone|mobile|tel|cell)\b\W{0,2}(?=\Z)|\bcode of conduct"
)
_LINKING = frozenset(("of", "the", "to", "and", "in", "by", "for", "a"))
_NUMBERED = (["is", "number"], ["was", "number"], ["has", "number"], ["have", "number"])
_YEAR_LENGTH = 4
_WINDOW, _WINDOW_AFTER = 70, 40

Span = tuple[int, int]


def find_access_codes(text: str) -> Iterator[tuple[str, Span]]:
    """The codes of what is opened, in digits, and passwords of letters and digits: kind and position."""
    text = blank_harmless_numbers(text)
    for match in _VALUE.finditer(text):
        if _is_code(text, match):
            yield "code", match.span("value")
    for match in _TOKEN.finditer(text):
        if _is_password(text, match):
            yield "password", match.span("value")


def _sentence(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """The words of the sentence before and after a part of a text, not far from it."""
    before, after = text[max(0, start - _WINDOW) : start].lower(), text[end : end + _WINDOW_AFTER].lower()
    before, after = _END.split(before)[-1], _END.split(after)[0]
    return _WORD.findall(_HARMLESS_NAME.sub(" ", before)), _WORD.findall(_HARMLESS_NAME.sub(" ", after))


def _is_code(text: str, match: re.Match[str]) -> bool:
    before, after = _sentence(text, *match.span("value"))
    if _is_counted(before, _NEXT.match(text, match.end())):
        return False
    last = before[-1] if before else ""
    has_link = last in _WORDS["links"] or last in _WORDS["code_nouns"] or text[: match.start()].rstrip().endswith(",")
    is_code_like = has_link and last != "by" and len(match["value"]) == _YEAR_LENGTH  # "a house by 2028"
    if is_date_or_year(match["value"]) and not is_code_like:
        return False
    if not _WORDS["code_nouns"].isdisjoint((*before, *after)):
        return True
    is_opening = bool(after) and after[0] in _WORDS["opening"]
    return (has_link or is_opening) and not _WORDS["opened_nouns"].isdisjoint((*before, *after))


def _is_counted(before: list[str], following: re.Match[str] | None) -> bool:
    """Whether the words around a number make it a count, a year, or the number of a room, a bus or a model."""
    counts_something = following is not None and following["word"].lower() not in _WORDS["code_after"]
    if counts_something or not before:
        return counts_something
    is_range = before[-1] in {"to", "bis", "-"} and before[-2:-1] != [] and before[-2].isdigit()
    return is_range or before[-1] in _WORDS["harmless_before"] or before[-2:] in _NUMBERED


def _is_password(text: str, match: re.Match[str]) -> bool:
    value = match["value"]
    if _NO_PASSWORD.match(value) or not _LINKING.isdisjoint(value.replace("_", "-").split("-")):
        return False
    before, after = _sentence(text, *match.span("value"))
    return not _PASSWORD_NOUNS.isdisjoint((*before, *after))


def mentions_access(text: str) -> bool:
    """Whether the text names something that is opened with a code."""
    return not _ACCESS_NOUNS.isdisjoint(_WORD.findall(text.lower()))
