"""Finds passwords, codes and account numbers by the words around a value ("the safe opens with 4471")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.screening.number_kinds import blank_harmless_numbers, is_date_or_year
from keepsake.domain.screening.phrase_list import PhraseList, Span
from keepsake.domain.screening.readable_text import UNSPACED_LETTER, fold_homoglyphs
from keepsake.domain.text import in_small_letters, strip_invisible

_LISTS = load_sections("secret_names", __package__)
_CREDENTIALS = PhraseList(_LISTS["credentials"], _LISTS["ordinary"])
_NUMBERS = PhraseList(_LISTS["numbers"])
_CODES = PhraseList((*_LISTS["credentials"], *_LISTS["codes"]), _LISTS["ordinary"])
_ACCOUNTS = PhraseList(_LISTS["accounts"])
_OPENED = PhraseList((*_LISTS["accounts"], *_LISTS["opened"]), _LISTS["ordinary"])
_LINKS, _NO_CODE, _AFTER_CODE, _NO_PASSWORD = (
    frozenset(map(fold_homoglyphs, _LISTS[name])) for name in ("links", "harmless_before", "code_after", "no_password")
)
_LINKING, _OF = ("|".join(map(re.escape, map(fold_homoglyphs, _LISTS[name]))) for name in ("linking", "before_owner"))
_SPOKEN_DIGIT = r"(?:zero|one|two|three|four|five|six|seven|eight|nine)"
_BEHIND = re.compile(
    rf"(?:,?\s{{1,5}}(?:{_OF})(?:\s{{1,5}}[\w'.@-]{{1,30}}(?<!\.)){{1,4}}?)?\s{{0,5}}(?:,\s{{0,3}})?"
    rf"(?:(?<![^\W_])|(?=[^a-z]))(?:{_LINKING})(?:(?<![a-z])|(?![a-z]))\s{{0,5}}(?:now\s{{1,5}}|still\s{{1,5}})?[\"']?"
    rf"(?P<value>{_SPOKEN_DIGIT}(?:[\s,-]{{1,3}}{_SPOKEN_DIGIT}){{2,11}}|[^\s\"']{{3,}}(?:\s\d[\d-]{{0,20}}(?!\w))?)"
)
"""What stands behind the name of a password, as in "the password is kitty123"."""
_BEHIND_UNSPACED = re.compile(r"[^\da-z\n]{0,12}(?P<value>[!-~]{3,60})")
"""The same in a script without spaces, as in "密码4471"."""
_BEFORE = re.compile(
    r"(?<!\S)[\"']?(?P<value>\S{4,200}?)[\"',]*\s(?:as|is|was)\s(?:my|our|the)\s(?:[\w-]{1,20}\s){0,2}\Z"
)
"""What stands before a name, as in "I use kitty as my password" and "X1234567 is my passport number"."""
_NUMBERED = re.compile(
    r"[^\d\n.!?]{0,40}?(?<!\w)(?P<value>(?=[a-z]{0,9}\d)[a-z0-9]{1,30}+"
    r"(?>(?:[ ./-](?=[a-z]{0,6}\d)[a-z0-9]{1,24}+){0,8}))"
)
"""What stands behind the name of a number, as in "my passport number is X1234567"."""
_MAX_BEFORE = 300
_PLACEHOLDERS = ("your_", "your-", "my_api_key", "process.env.", "os.environ.", "import.meta.env.")
_MIN_NUMBER = 5
POSSIBLE = re.compile(r"(?<!\S)(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200}|(?<!\d)\d{4,8}(?!\d)")
"""What may be a password or a code in a text that names one."""

_LETTERED = r"[A-Z]{1,2}\d{3,5}|[A-Z]\d{2,4}[A-Z]|\d{2,5}[A-Z]{1,2}"
_GROUPS = rf"\d{{1,4}}(?:[ -]\d{{1,4}}){{2,7}}|\d{{3}}[ -]\d{{3}}|\d{{3,8}}|\d{{14,20}}|{_LETTERED}"
_CODE = re.compile(rf"(?<![\w.,:/@$€£¥+-])(?P<value>(?:{_GROUPS})[#*]?)(?![\w%°€$£]|[.,:/-]\d|\s(?:to|bis|-)\s\d)")
_CHUNK = re.compile(r"\S{4,200}")
_MIN_TOKEN, _MAX_TOKEN = 6, 60
_MIN_PHRASE = 3
_SPECIAL = frozenset("!#$%&*?^~@")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[=:#→–—]|->|-(?=\s)")
_END = re.compile(r"[.!?](?=\s)|\n")
_NUMBER_OF = (["is", "number"], ["was", "number"], ["has", "number"])
_YEAR_LENGTH = 4
_WINDOW, _WINDOW_AFTER = 70, 40


@lru_cache(maxsize=32)
def mentions_credential(text: str) -> bool:
    """Whether the text mentions a password, PIN, key or the like."""
    return _CREDENTIALS.is_in(strip_invisible(text))


def mentions_code(text: str) -> bool:
    """Whether the text mentions a password, or something that is opened with a code."""
    return _CODES.is_in(text) or _OPENED.is_in(text)


def find_named_secrets(text: str) -> Iterator[tuple[str, Span]]:
    """The kind and position of each value that the words around it make a secret, and of each that is a password.

    The letters of the text have to be folded, as those of the lists are.
    """
    small = in_small_letters(text)
    if mentions_credential(text):
        yield from (("password", span) for span in _stated_values(small))
    if not any(map(str.isdecimal, text)) and "-" not in text:
        return
    for start, end in _NUMBERS.find(small):
        named = (_NUMBERED.match(small, end), _before(small, start))
        yield from (("number", one.span("value")) for one in named if one and _is_number(one["value"]))
    shown = blank_harmless_numbers(text)
    yield from (("code", match.span("value")) for match in _CODE.finditer(shown) if _is_code(shown, match))
    yield from (("password", match.span()) for match in _CHUNK.finditer(shown) if _is_password(shown, match))


def _stated_values(text: str) -> Iterator[Span]:
    """What stands where a value does, behind each name and before it; what stands in a value is no name."""
    last = 0
    for start, end in _CREDENTIALS.find(text):
        if end < last:
            continue
        behind = (_BEHIND_UNSPACED if UNSPACED_LETTER.match(text, start) else _BEHIND).match(text, end)
        for one in filter(None, (behind, _before(text, start))):
            last = max(last, one.end())
            if not _is_harmless(one["value"]):
                yield one.span("value")


def _before(text: str, start: int) -> re.Match[str] | None:
    """The value before a name, if there is one: words that are called the password are used "as" it."""
    found = _BEFORE.search(text, max(0, start - _MAX_BEFORE), start)
    return found if found and (" as " in found[0] or any(map(str.isdecimal, found["value"]))) else None


def _is_harmless(value: str) -> bool:
    """Whether what stands behind the name of a password says something of it, or holds its place."""
    word = _WORD.match(value.lower())
    return word is None or word[0] in _NO_PASSWORD or value.lower().startswith(_PLACEHOLDERS)


def _is_number(value: str) -> bool:
    is_long = sum(map(str.isalnum, value)) >= _MIN_NUMBER
    return is_long and any(map(str.isdecimal, value)) and not is_date_or_year(value)


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a part of a text in its sentence, not far from it."""
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW_AFTER]
    return _END.split(before)[-1], _END.split(after)[0]


def _is_code(text: str, match: re.Match[str]) -> bool:
    """Whether a number is a code: near a lock, or behind a word that gives one beside anything else that is opened."""
    around = _around(text, *match.span("value"))
    before, after = (_WORD.findall(part.lower()) for part in around)
    if _is_counted(before, after[:1] if around[1][:1].isspace() else []):
        return False
    last = before[-1] if before else ""
    has_link = around[0].rstrip().endswith(",") or last in _LINKS
    is_code_like = has_link and last != "by" and len(match["value"]) == _YEAR_LENGTH  # "a house by 2028"
    if is_date_or_year(match["value"]) and not is_code_like:
        return False
    return any(map(_CODES.is_in, around)) or (has_link and any(map(_OPENED.is_in, around)))


def _is_counted(before: list[str], following: list[str]) -> bool:
    """Whether the words around a number make it a count, a year, or the number of a room, a bus or a model."""
    counts_something = any(word[0].isalpha() and word not in _AFTER_CODE for word in following)
    is_range = before[-1:] in (["to"], ["bis"], ["-"]) and before[-2:-1] != [] and before[-2].isdigit()
    return counts_something or is_range or before[-2:] in _NUMBER_OF or not _NO_CODE.isdisjoint(before[-1:])


def _is_password(text: str, match: re.Match[str]) -> bool:
    """Whether a chunk is letters with digits, or words joined by hyphens, near what a password opens, or mixed more."""
    value = match[0].strip("\"'(),.;!?")
    if not _MIN_TOKEN <= len(value) <= _MAX_TOKEN or "://" in value or _is_harmless(value):
        return False
    is_mixed = any(map(str.isdecimal, value)) and any(map(str.islower, value))
    if is_mixed and any(map(str.isupper, value)) and not _SPECIAL.isdisjoint(match[0].rstrip("\"'),.;?")[1:]):
        return True
    parts = value.replace("_", "-").split("-")
    is_phrase = len(parts) >= _MIN_PHRASE and all(one.isalpha() and one.islower() and len(one) > 2 for one in parts)
    around = _around(text, *match.span()) if is_mixed or is_phrase else ()
    return any(names.is_in(part) for names in (_CODES, _ACCOUNTS) for part in around)
