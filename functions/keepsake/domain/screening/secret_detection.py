"""Finds secrets in a text: keys, passwords, card and account numbers, national ids, by shape, checksum and context."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.english.word_lists import load_alternations
from keepsake.domain.screening.id_numbers import identify_number, is_card
from keepsake.domain.text import strip_invisible

_WORDS = load_alternations("secret_detection", __package__)

_MIN_TOKEN = 20
_MIN_ENTROPY = 3.5


@dataclass(frozen=True, slots=True)
class Secret:
    """The kind of a secret and its position in the text; never the secret itself."""

    kind: str
    start: int
    end: int


_SHAPES = load_alternations("secret_shapes", __package__)

_CREDENTIAL_NAMES = _WORDS["credential_names"]
_NUMBER_NAMES = _WORDS["number_names"]
_LINK = (
    r"(?:\s+(?:for|to|of|on|at)(?:\s+[\w'.@-]{1,30}){1,4}?)?"
    r"\s*(?:is|was|are|ist|es|est|é|è|jest|:|=|->|--?|\bto\b|#)\s*(?:now\s+|still\s+)?"
)
_PASSWORD_IN_PROSE = re.compile(
    rf"(?<![\w-])(?:{_CREDENTIAL_NAMES})(?![\w-]){_LINK}[\"']?(?P<value>[^\s\"']{{3,}})", re.IGNORECASE
)
_NUMBER_IN_PROSE = re.compile(
    rf"(?<!\w)(?:{_NUMBER_NAMES})(?!\w)[^\d\n]{{0,40}}(?P<value>[A-Z]{{0,3}}\d[\d -]{{2,}}[\dA-Z])", re.IGNORECASE
)
_LOOSE_PASSWORD = re.compile(
    rf"(?<![\w-])(?:{_CREDENTIAL_NAMES}),?\s+[\"']?(?P<value>(?=\S*\d)(?=\S*[^\W\d])\S{{5,}}|\d{{3,8}}\b)",
    re.IGNORECASE,
)
_AS_PASSWORD = re.compile(
    r"(?<!\S)[\"']?(?P<value>\S{4,200}?)[\"',]*\s(?:as|for)\s(?:my|the|our|"
    rf"a)\s(?:[\w-]{{1,20}}\s){{0,2}}(?:{_CREDENTIAL_NAMES})(?![\w-])"
    rf"|(?<!\S)[\"']?(?P<coded>(?=\S{{0,80}}\d)(?=\S{{0,80}}[^\W\d])\S{{5,200}}?)[\"',]*\s(?:is|was)\s(?:my|the|our)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,2}}(?:{_CREDENTIAL_NAMES})(?![\w-])",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:log|sign)(?:s|ged|ging|ed|ing)? (?:in|on)(?: [\w'-]{1,20}){0,3}? (?:with|using|as)\s+"
    r"(?:\S{1,60}\s?[/:]\s?)?[\"']?(?P<value>(?=\S{0,80}\d)(?=\S{0,80}[^\W\d])\S{5,200})",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(rf"(?<![\w-])(?:{_CREDENTIAL_NAMES})(?![\w-])", re.IGNORECASE)
_PHRASE = re.compile(r"(?:seed|recovery|mnemonic|backup) (?:phrase|words?)\W{1,5}(?:\w+\W+){6,}", re.IGNORECASE)
_PATTERNS = [
    *(
        (kind, re.compile(pattern, re.IGNORECASE if kind == "authorization" else 0))
        for kind, pattern in _SHAPES.items()
    ),
    ("password", _PASSWORD_IN_PROSE),
    ("password", _LOOSE_PASSWORD),
    ("password", _AS_PASSWORD),
    ("password", _LOGIN),
    ("number", _NUMBER_IN_PROSE),
    ("seed_phrase", _PHRASE),
]
_NOT_A_SECRET = re.compile(rf"{_WORDS['not_a_secret']}\b", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{20,200}")
_SEPARATOR = r"[\W_]{1,3}"
_CARD = re.compile(  # whatever stands between its groups or before it; it begins with no year of ours
    rf"(?<!\d)(?=[3-6]|2[2-7])(?:\d{{13,19}}|\d{{4}}{_SEPARATOR}\d{{4}}{_SEPARATOR}\d{{4}}{_SEPARATOR}\d{{1,7}}"
    rf"|\d{{4}}{_SEPARATOR}\d{{6}}{_SEPARATOR}\d{{4,5}})(?!\d)"
)
_GROUP = r"[A-Z]{0,6}\d[0-9A-Z]*+(?!\w)"
_NUMBER = re.compile(rf"(?<![\w.]){_GROUP}(?:[ .\-/]{_GROUP})*", re.IGNORECASE)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text by kind and place; positions are those of the text with invisible characters removed."""
    visible = strip_invisible(text)
    return tuple(sorted(set(_find_all(visible)), key=lambda secret: (secret.start, secret.end, secret.kind)))


def mentions_credential(text: str) -> bool:
    """Whether the text mentions a password, PIN, key or the like."""
    return _CREDENTIAL.search(strip_invisible(text)) is not None


def _find_all(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            value = next((name for name in ("value", "coded") if match.groupdict().get(name)), 0)
            if kind != "password" or not _NOT_A_SECRET.match(match[value]):
                yield Secret(kind, match.start(value), match.end(value))
    for match in _TOKEN.finditer(text):
        if _looks_random(match[0]):
            yield Secret("token", match.start(), match.end())
    yield from _numbers(text)


def _numbers(text: str) -> Iterator[Secret]:
    kinds: dict[str, str | None] = {}
    for match in _NUMBER.finditer(text):
        if match[0] not in kinds:  # whose checksums take a while
            kinds[match[0]] = identify_number(match[0])
        if (number := kinds[match[0]]) is not None:
            yield Secret(number, match.start(), match.end())
    for match in _CARD.finditer(text):
        if is_card(re.sub(r"\D", "", match[0])):
            yield Secret("card", match.start(), match.end())


def _looks_random(token: str) -> bool:
    """Whether a token is long, mixed, and has a higher entropy than words."""
    if len(token) < _MIN_TOKEN or not any(c.isdigit() for c in token) or not any(c.isalpha() for c in token):
        return False
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    changes = sum(a.isdigit() != b.isdigit() or a.isupper() != b.isupper() for a, b in itertools.pairwise(token))
    return entropy >= _MIN_ENTROPY and changes >= 4
