"""Finds passwords, codes and account numbers by the words around a value ("the safe opens with 4471")."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.screening.number_kinds import blank_harmless_numbers, is_date_or_year
from keepsake.domain.text import in_small_letters, strip_invisible

_NAMES = load_alternations("secret_names", __package__)
_CREDENTIAL = re.compile(rf"(?<![\w-]){_NAMES['credential_names']}(?![\w-])")
_UNSPACED = re.compile(_NAMES["unspaced_names"])
_NUMBER_NAME = re.compile(rf"(?<!\w){_NAMES['number_names']}(?![^\W_])")
_LINK = (
    rf"(?:,?\s{{1,5}}{_NAMES['before_owner']}(?:\s{{1,5}}[\w'.@-]{{1,30}}(?<!\.)){{1,4}}?)?\s{{0,5}}(?:,\s{{0,3}})?"
    rf"(?:(?<![^\W_])|(?=[^a-zàäèé])){_NAMES['linking']}\s{{0,5}}(?:now\s{{1,5}}|still\s{{1,5}})?"
)
_DIGIT = _NAMES["spoken_digit"]
_OWN = r"(?:my|our|the)\s(?:[\w-]{1,20}\s){0,2}\Z"
_VALUES_BEHIND = {
    _CREDENTIAL: (
        # as in "the password is kitty123"; a number behind a word belongs to it, as in "the PIN is twice 57"
        re.compile(
            rf"{_LINK}[\"']?(?P<value>{_DIGIT}(?:[\s,-]{{1,3}}{_DIGIT}){{2,11}}"
            r"|[^\s\"']{3,}(?:\s\d[\d-]{0,20}(?!\w))?)"
        ),
        # digits near its name, as in "password for home kitty123"; what is a year is none
        re.compile(
            r",?\s{0,5}(?:[^\W\d]{1,12}\s){0,3}?[\"']?"
            r"(?P<close>(?=[^\s\"']{0,60}\d)(?=[^\s\"']{0,60}[^\W\d])[^\s\"',;]{4,200}|\d(?:[ -]?\d){2,7}\b)"
        ),
    ),
    # in a script without spaces, as in "密码4471"
    _UNSPACED: (re.compile(r"[^\da-z\n]{0,12}(?P<value>[!-~]{3,60})"),),
    # as in "my passport number is X1234567"
    _NUMBER_NAME: (
        re.compile(
            r"[^\d\n.!?]{0,40}?(?<!\w)(?P<value>(?=[a-z]{0,9}\d)[a-z0-9]{1,30}+"
            r"(?>(?:[ ./-](?=[a-z]{0,6}\d)[a-z0-9]{1,24}+){0,8}))"
        ),
    ),
}
"""The values behind a name, at its end."""
_VALUES_BEFORE = {
    # as in "I use kitty as my password"
    _CREDENTIAL: re.compile(rf"(?<!\S)[\"']?(?P<value>\S{{4,200}}?)[\"',]*\sas\s{_OWN}"),
    # as in "X1234567 is my passport number"
    _NUMBER_NAME: re.compile(rf"(?<!\w)(?P<value>(?=[a-z]{{0,9}}\d)[a-z0-9]{{6,20}}+)\s(?:is|was)\s{_OWN}"),
}
_ANSWER = re.compile(
    r"\b(?:security|secret|recovery|verification) (?:question|answer)s?\b.{0,60}?[:=,-]\s(?P<value>\S.{1,60})"
)
"""The answer to a question, as in "security question: Kitty"."""
_STRONG_PASSWORD = re.compile(
    r"(?<!\S)[\"'(\[]{0,2}(?![\w.+-]{1,64}@)(?!\S{0,60}://)(?=\S{0,60}[a-z])(?=\S{0,60}[A-Z])(?=\S{0,60}\d)"
    r"(?P<value>[^\s,;]{0,60}\w[!#$%&*?^~@]{1,3}[^\W_][^\s,;]{2,60}|[^\s,;]{6,60}[!#$%^~*@&]{1,3})(?!\S)"
)
"""What is a password without any name, as in "Kitty$123"."""
_MAX_BEFORE = 300
_PLACEHOLDERS = ("your_", "your-", "my_api_key", "process.env.", "os.environ.", "import.meta.env.")
_MIN_NUMBER = 4
POSSIBLE = re.compile(r"(?<!\S)(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200}|(?<!\d)\d{4,8}(?!\d)")
"""What may be a password or a code in a text that names one."""

_WORDS = {section: frozenset(words) for section, words in load_sections("access_codes", __package__).items()}
_PASSWORD_NOUNS = _WORDS["code_nouns"] | _WORDS["token_nouns"]
_GROUPS = r"\d{1,4}(?:[ -]\d{1,4}){2,7}|\d{3}[ -]\d{3}|\d{3,8}|\d{14,20}|[A-Z]{1,2}\d{3,5}|\d{2,5}[A-Z]{1,2}"
_CODE = re.compile(rf"(?<![\w.,:/@$€£¥+-])(?P<value>(?:{_GROUPS})[#*]?)(?![\w%°€$£]|[.,:/-]\d|\s(?:to|bis|-)\s\d)")
_MIXED = r"(?=\S{0,60}\d)(?=\S{0,60}[a-z])(?=\S{0,60}[^\W\d])\S{6,60}?"
_TOKEN = re.compile(
    rf"(?<!\S)[\"'(]?(?P<value>{_MIXED}|[a-z]{{3,12}}(?:[-_][a-z]{{3,12}}){{2,6}})[\"'),.;!?]{{0,3}}(?!\S)"
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[=:#→–—]|->|-(?=\s)")
_END = re.compile(r"[.!?](?=\s)|\n")
_NO_PASSWORD = re.compile(
    r"\d[\d.,]{0,20}(?:st|nd|rd|th|s|am|pm|kg|km|cm|mm|gb|tb|mb|mhz|ghz|kwh|min|x|k)?\Z"
    r"|https?:|www\.|[^\s@]{1,60}@[^\s@]{1,60}\.\w|#\w",
    re.IGNORECASE,
)
_HARMLESS_NAME = re.compile(rf"\b{_NAMES['harmless_names']}")
_LINKING = frozenset(("of", "the", "to", "and", "in", "by", "for", "a"))
_NUMBERED = (["is", "number"], ["was", "number"], ["has", "number"], ["have", "number"])
_YEAR_LENGTH = 4
_WINDOW, _WINDOW_AFTER = 70, 40

Span = tuple[int, int]


@lru_cache(maxsize=32)
def mentions_credential(text: str) -> bool:
    """Whether the text mentions a password, PIN, key or the like."""
    small = in_small_letters(strip_invisible(text))
    return _CREDENTIAL.search(small) is not None or _UNSPACED.search(small) is not None


def mentions_code(text: str) -> bool:
    """Whether the text mentions a password, or something that is opened with a code."""
    nouns = _WORDS["code_nouns"] | _WORDS["opened_nouns"]
    return mentions_credential(text) or not nouns.isdisjoint(_words(text))


def find_named_secrets(text: str) -> Iterator[tuple[str, Span]]:
    """The kind and position of each value that the words around it make a secret, and of each that is a password."""
    small, shown = in_small_letters(text), blank_harmless_numbers(text)
    kinds = [
        ("password", _STRONG_PASSWORD.finditer(text), _may_be_password),
        ("number", _named_values(small, _NUMBER_NAME), _is_number),
        ("code", _CODE.finditer(shown), _is_code),
        ("password", _TOKEN.finditer(shown), _is_password),
    ]
    if mentions_credential(text):
        named = (_named_values(small, _CREDENTIAL), _named_values(small, _UNSPACED), _ANSWER.finditer(small))
        kinds.append(("password", itertools.chain(*named), _may_be_password))
    for kind, found, is_secret in kinds:
        yield from ((kind, one.span(one.lastgroup or "value")) for one in found if is_secret(one))


def _named_values(text: str, name: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What stands where a value does, behind each name and before it; what stands in a value is no name."""
    end = 0
    for match in name.finditer(text):
        if match.end() < end:
            continue
        found = [value.match(text, match.end()) for value in _VALUES_BEHIND[name]]
        if name in _VALUES_BEFORE:
            found.append(_VALUES_BEFORE[name].search(text, max(0, match.start() - _MAX_BEFORE), match.start()))
        for one in filter(None, found):
            end = max(end, one.end())
            yield one


def _may_be_password(match: re.Match[str]) -> bool:
    value = match[match.lastgroup or "value"].rstrip(".,;!?")
    is_year = match.lastgroup == "close" and is_date_or_year(value)
    return value != "" and not is_year and not _is_harmless(value)


def _is_harmless(value: str) -> bool:
    """Whether what stands behind the name of a password says something of it, or holds its place."""
    word = "".join(itertools.takewhile(lambda one: one.isalnum() or one == "_", value.lower()))
    return word in _WORDS["no_password"] or value.lower().startswith(_PLACEHOLDERS)


def _is_number(match: re.Match[str]) -> bool:
    return sum(map(str.isalnum, match["value"])) >= _MIN_NUMBER and not is_date_or_year(match["value"])


def _words_around(match: re.Match[str]) -> tuple[list[str], list[str]]:
    """The words of the sentence before and after a value, not far from it."""
    text, (start, end) = match.string, match.span("value")
    before, after = text[max(0, start - _WINDOW) : start].lower(), text[end : end + _WINDOW_AFTER].lower()
    before, after = _END.split(before)[-1], _END.split(after)[0]
    return _words(_HARMLESS_NAME.sub(" ", before)), _words(_HARMLESS_NAME.sub(" ", after))


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(text.lower())]


def _is_code(match: re.Match[str]) -> bool:
    """Whether a number is a code: near a lock, or behind a word that gives one beside anything else that is opened."""
    text, (before, after) = match.string, _words_around(match)
    if _is_counted(before, after[:1] if text[match.end() : match.end() + 1].isspace() else []):
        return False
    last = before[-1] if before else ""
    is_behind_comma = text[max(0, match.start() - _WINDOW) : match.start()].rstrip().endswith(",")
    has_link = is_behind_comma or last in _WORDS["links"] or last in _WORDS["code_nouns"]
    is_code_like = has_link and last != "by" and len(match["value"]) == _YEAR_LENGTH  # "a house by 2028"
    if is_date_or_year(match["value"]) and not is_code_like:
        return False
    if not _WORDS["code_nouns"].isdisjoint((*before, *after)):
        return True
    is_opening = bool(after) and after[0] in _WORDS["opening"]
    return (has_link or is_opening) and not _WORDS["opened_nouns"].isdisjoint((*before, *after))


def _is_counted(before: list[str], following: list[str]) -> bool:
    """Whether the words around a number make it a count, a year, or the number of a room, a bus or a model."""
    counts_something = any(word[0].isalpha() and word not in _WORDS["code_after"] for word in following)
    if counts_something or not before:
        return counts_something
    is_range = before[-1] in {"to", "bis", "-"} and before[-2:-1] != [] and before[-2].isdigit()
    return is_range or before[-1] in _WORDS["harmless_before"] or before[-2:] in _NUMBERED


def _is_password(match: re.Match[str]) -> bool:
    """Whether letters with digits, or words joined by hyphens, stand near what a password opens."""
    value = match["value"]
    if _is_harmless(value) or _NO_PASSWORD.match(value) or not _LINKING.isdisjoint(value.replace("_", "-").split("-")):
        return False
    before, after = _words_around(match)
    return not _PASSWORD_NOUNS.isdisjoint((*before, *after))
