"""Finds secrets in a text: keys, passwords, card and account numbers, national ids, by shape, checksum and context."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening import credentials
from keepsake.domain.screening.access_codes import find_access_codes, mentions_access
from keepsake.domain.screening.harmless_numbers import is_coordinate, is_date_or_year, is_international_phone
from keepsake.domain.screening.homoglyphs import fold_homoglyphs
from keepsake.domain.screening.id_numbers import find_iban, identify_number, is_card
from keepsake.domain.screening.mentions import MENTION
from keepsake.domain.screening.secret_classifier import MAX_SECRET_SCORE, secret_score
from keepsake.domain.screening.spelled_secrets import find_spoken_numbers, find_wallet_words
from keepsake.domain.text import strip_invisible

_MIN_ENTROPY = 3.5
_MIN_HEX = 32
_MIN_NAMED = 4
_CODE_LENGTH = 4
"""A code of so many digits may look like a year."""

_MIN_SPOKEN_CARD = 12
_NAME_WINDOW = 60
_MAX_CARD_GROUPS = 20
_MAX_SCORED = 240
"""Up to this length a text is scored as a whole too: a secret may be told in two sentences."""

_DATE = re.compile(r"(?<![\w-])20\d\d-[01]\d-[0-3]\d(?!-?\d)(?:['’:-][^\W\d_]{1,6}\b)?")
"""A day as a memory has it, with the ending that some languages join to it ("2026-12-07'de")."""

DISCLOSURE = "disclosure"
"""The kind of a secret in words that no pattern knows: the whole sentence counts as the secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The kind of a secret and its position in the text; never the secret itself."""

    kind: str
    start: int
    end: int


_SHAPES = [
    (kind, re.compile(pattern, re.IGNORECASE if kind == "authorization" else 0))
    for kind, pattern in load_alternations("secret_shapes", __package__).items()
]
"""What keys and tokens look like, by kind."""
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{20,200}")
_SEPARATOR = r"[\W_]{1,3}"
_CARD = re.compile(  # whatever stands between its groups or before it; it begins with no year of ours
    rf"(?<!\d)(?=[3-6]|2[2-7])(?:\d{{13,19}}|\d{{4}}{_SEPARATOR}\d{{4}}{_SEPARATOR}\d{{4}}{_SEPARATOR}\d{{1,7}}"
    rf"|\d{{4}}{_SEPARATOR}\d{{6}}{_SEPARATOR}\d{{4,5}})(?!\d)"
)
_IBAN = re.compile(
    r"(?<![A-Z0-9])[A-Z]{2}\d{2}[\s.\-/_:]{0,2}[A-Z0-9]{2,34}(?:[\s.\-/_:]{1,2}[A-Z0-9]{1,30}){0,9}", re.IGNORECASE
)
_GROUP = r"[A-Z]{0,6}\d[0-9A-Z]*+(?!\w)"
_NUMBER = re.compile(rf"(?<![\w.]){_GROUP}(?:[ .\-/]{_GROUP})*", re.IGNORECASE)
_DIGITS = re.compile(r"(?<!\d)\d{2,19}(?!\d)")
_HEX_DIGITS = frozenset("0123456789abcdef")
_COUNT = "012345678910"
_SENTENCE = re.compile(r"[^\s.!?;。！？](?>(?:[^.!?;\n。！？]|[.!?;](?!\s))*)")


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text by kind and place; positions are those of the text with invisible characters removed."""
    return find_known_secrets(text) or tuple(_find_disclosures(fold_homoglyphs(_without_mentions(text))))


@lru_cache(maxsize=32)
def find_known_secrets(text: str) -> tuple[Secret, ...]:
    """The same by patterns alone, for what is no sentence that could tell a secret."""
    visible = _without_mentions(text)
    found = set(_find_all(visible))
    if (folded := fold_homoglyphs(visible)) != visible:
        found.update(_find_all(folded))
    return tuple(sorted(found, key=lambda secret: (secret.start, secret.end, secret.kind)))


def _without_mentions(text: str) -> str:
    return MENTION.sub(lambda mention: " " * len(mention[0]), strip_invisible(text))


@lru_cache(maxsize=32)
def mentions_credential(text: str) -> bool:
    """Whether the text mentions a password, PIN, key or the like."""
    return credentials.CREDENTIAL.search(strip_invisible(text)) is not None


def find_possible_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of a text; where it mentions a credential, everything in it that could be one counts too."""
    found = find_secrets(text)
    if not mentions_credential(text):
        return found
    values = (one for one in credentials.POSSIBLE.finditer(strip_invisible(text)) if not is_date_or_year(one[0]))
    possible = (Secret("possible", *value.span()) for value in values)
    return tuple(sorted({*found, *possible}, key=lambda one: one.start))


def _find_disclosures(text: str) -> Iterator[Secret]:
    """The sentences that tell a secret by the classifier; a short text counts as one."""
    text = _DATE.sub(lambda day: " " * len(day[0]), text)
    if len(text) <= _MAX_SCORED and secret_score(text) > MAX_SECRET_SCORE:
        yield Secret(DISCLOSURE, 0, len(text))
        return
    for match in _SENTENCE.finditer(text):
        if secret_score(match[0]) > MAX_SECRET_SCORE:
            yield Secret(DISCLOSURE, *match.span())


def _find_all(text: str) -> Iterator[Secret]:
    for kind, pattern in _SHAPES:
        yield from (Secret(kind, *match.span()) for match in pattern.finditer(text))
    yield from _passwords(text, credentials.PASSWORDS)
    if mentions_credential(text):
        yield from _passwords(text, credentials.NAMED_PASSWORDS)
    yield from (Secret("seed_phrase", *span) for span in find_wallet_words(text))
    yield from _spoken(text)
    has_digits = any(map(str.isdecimal, text))
    if has_digits or "-" in text:
        yield from (Secret(kind, *span) for kind, span in find_access_codes(text))
    if has_digits:
        yield from _passwords(text, credentials.LOGINS)
        yield from _codes(text)
        yield from (Secret("token", *match.span()) for match in _TOKEN.finditer(text) if _looks_random(match[0]))
        yield from _numbers(text)
        yield from _cards(text)


def _passwords(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[Secret]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            value = match.lastgroup or "value"
            part = match[value].rstrip(".,;!?")
            is_year = value == "close" and is_date_or_year(part)
            if part and not is_year and not credentials.NOT_A_SECRET.match(part):
                yield Secret("password", *match.span(value))


def _codes(text: str) -> Iterator[Secret]:
    for pattern in credentials.CODES:
        for match in pattern.finditer(text):
            if len(match["value"]) == _CODE_LENGTH or not is_date_or_year(match["value"]):
                yield Secret("code", *match.span("value"))
    for pattern in credentials.NAMED_NUMBERS:
        for match in pattern.finditer(text):
            is_long = sum(map(str.isalnum, match["value"])) >= _MIN_NAMED
            if is_long and not is_date_or_year(match["value"]):
                yield Secret("number", *match.span("value"))


def _spoken(text: str) -> Iterator[Secret]:
    for digits, (start, end) in find_spoken_numbers(text):
        if is_card(digits) or (len(digits) >= _MIN_SPOKEN_CARD and credentials.CARD_NAME.search(text)):
            yield Secret("card", start, end)
        elif not _is_count(digits) and (credentials.DIGITS_NAME.search(text) or mentions_access(text)):
            yield Secret("code", start, end)


def _is_count(digits: str) -> bool:
    """Whether somebody counts up or down."""
    return digits in _COUNT or digits in _COUNT[::-1]


def _numbers(text: str) -> Iterator[Secret]:
    for match in _NUMBER.finditer(text):
        if is_coordinate(text, match.start(), match.end()) or is_international_phone(text, match.start()):
            continue
        around = text[max(0, match.start() - _NAME_WINDOW) : match.end() + _NAME_WINDOW]
        is_named = credentials.NUMBER_NAME.search(around) is not None and not is_date_or_year(match[0])
        if (kind := identify_number(match[0], is_named=is_named)) is not None:
            yield Secret(kind, *match.span())
    for match in _IBAN.finditer(text):
        places = [place for place in range(*match.span()) if text[place].isalnum()]
        if (number := find_iban("".join(text[place] for place in places).upper())) is not None:
            yield Secret("iban", match.start(), places[len(number) - 1] + 1)


def _cards(text: str) -> Iterator[Secret]:
    """Cards by their groups; and in whatever parts, where the text has a word for a card."""
    for match in _CARD.finditer(text):
        digits = "".join(filter(str.isdecimal, match[0]))
        if is_card(digits) and not is_international_phone(text, match.start()):
            yield Secret("card", *match.span())
    groups = list(_DIGITS.finditer(text))[:_MAX_CARD_GROUPS] if credentials.CARD_NAME.search(text) else []
    for first, last in itertools.combinations(range(len(groups) + 1), 2):
        if is_card("".join(group[0] for group in groups[first:last])):
            yield from (Secret("card", *group.span()) for group in groups[first:last])


def _looks_random(token: str) -> bool:
    """Whether a token is long, mixed, and has a higher entropy than words."""
    if not (any(map(str.isdigit, token)) and any(map(str.isalpha, token))):
        return False
    if len(token) >= _MIN_HEX and _HEX_DIGITS.issuperset(token):
        return True
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    changes = sum(a.isdigit() != b.isdigit() or a.isupper() != b.isupper() for a, b in itertools.pairwise(token))
    return entropy >= _MIN_ENTROPY and changes >= 4
