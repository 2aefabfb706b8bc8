"""Finds secrets in a text: keys, passwords, card and account numbers, national ids, by shape, checksum and context."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mnemonic import Mnemonic

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.screening.named_secrets import (
    POSSIBLE,
    Span,
    find_named_secrets,
    mentions_code,
    mentions_credential,
)
from keepsake.domain.screening.number_kinds import (
    MENTION,
    blank_harmless_numbers,
    find_iban,
    is_card,
    is_date_or_year,
    is_national_id,
)
from keepsake.domain.screening.readable_text import fold_homoglyphs
from keepsake.domain.screening.sentence_scores import SPOKEN_DIGITS, secret_score
from keepsake.domain.text import in_small_letters, strip_invisible

_SHAPE = re.compile("|".join(load_alternations("secret_shapes", __package__).values()))
"""What keys and tokens of vendors look like."""
_MIN_ENTROPY, _MIN_CHANGES = 3.5, 4
_MIN_HEX = 32
_HEX_DIGITS = frozenset("0123456789abcdef")
_IBAN = re.compile(
    r"(?<![A-Z0-9])[A-Z]{2}\d{2}[\s.\-/_:]{0,2}[A-Z0-9]{2,34}(?:[\s.\-/_:]{1,2}[A-Z0-9]{1,30}){0,9}", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+")
_WALLET = frozenset(Mnemonic("english").wordlist)
"""The recovery words of wallets (BIP 39)."""
_MIN_WALLET = 11
"""One fewer than a wallet has: a word may be misspelled."""
_DIGITS_BY_WORD = {**SPOKEN_DIGITS, "double": "2", "triple": "33"}
_MIN_SPOKEN, _MIN_SPOKEN_CARD = 4, 12
_COUNT = "012345678910"

_DATE = re.compile(r"(?<![\w-])20\d\d-[01]\d-[0-3]\d(?!-?\d)(?:['’:-][^\W\d_]{1,6}\b)?")
"""A day as a memory has it, with the ending that some languages join to it ("2026-12-07'de")."""
_MAX_SECRET_SCORE = 1.0
"""The greatest score of a sentence that tells no secret."""
_MAX_SCORED = 240
"""Up to this length a text is scored as a whole too: a secret may be told in two sentences."""
_SENTENCE = re.compile(r"[^\s.!?;。！？](?>(?:[^.!?;\n。！？]|[.!?;](?!\s))*)")

DISCLOSURE = "disclosure"
"""The kind of a secret in words that no pattern knows: the whole sentence counts as the secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """The kind of a secret and its position in the text; never the secret itself."""

    kind: str
    start: int
    end: int


@lru_cache(maxsize=32)  # a screening asks about the same few texts several times
def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret in the text by kind and place; positions are those of the text with invisible characters removed."""
    return find_known_secrets(text) or tuple(_find_disclosures(fold_homoglyphs(_without_mentions(text))))


@lru_cache(maxsize=32)
def find_known_secrets(text: str) -> tuple[Secret, ...]:
    """The same by patterns alone, for what is no sentence that could tell a secret."""
    visible = _without_mentions(text)
    found = {Secret(kind, *span) for form in {visible, fold_homoglyphs(visible)} for kind, span in _find_all(form)}
    return tuple(sorted(found, key=lambda secret: (secret.start, secret.end, secret.kind)))


def find_possible_secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of a text; where it mentions a credential, everything in it that could be one counts too."""
    found = find_secrets(text)
    if not mentions_credential(text):
        return found
    values = (one for one in POSSIBLE.finditer(strip_invisible(text)) if not is_date_or_year(one[0]))
    possible = (Secret("possible", *value.span()) for value in values)
    return tuple(sorted({*found, *possible}, key=lambda one: one.start))


def _without_mentions(text: str) -> str:
    return MENTION.sub(lambda mention: " " * len(mention[0]), strip_invisible(text))


def _find_disclosures(text: str) -> Iterator[Secret]:
    """The sentences that tell a secret by the classifier; a short text counts as one."""
    text = _DATE.sub(lambda day: " " * len(day[0]), text)
    if len(text) <= _MAX_SCORED and secret_score(text) > _MAX_SECRET_SCORE:
        yield Secret(DISCLOSURE, 0, len(text))
        return
    for match in _SENTENCE.finditer(text):
        if secret_score(match[0]) > _MAX_SECRET_SCORE:
            yield Secret(DISCLOSURE, *match.span())


def _find_all(text: str) -> Iterator[tuple[str, Span]]:
    yield from (("key", match.span()) for match in _SHAPE.finditer(text))
    yield from find_named_secrets(text)
    yield from _spelled_secrets(text)
    if any(map(str.isdecimal, text)):
        shown = blank_harmless_numbers(text)
        for kind, shape, is_secret in _CHECKED_SHAPES:
            yield from ((kind, match.span()) for match in shape.finditer(shown) if is_secret(match[0]))
        yield from (("iban", span) for span in _ibans(shown))


def _looks_random(token: str) -> bool:
    """Whether a token is long, mixed, and has a higher entropy than words."""
    if not (any(map(str.isdigit, token)) and any(map(str.isalpha, token))):
        return False
    if len(token) >= _MIN_HEX and _HEX_DIGITS.issuperset(token):
        return True
    counts = Counter(token)
    entropy = -sum(n / len(token) * math.log2(n / len(token)) for n in counts.values())
    changes = sum(a.isdigit() != b.isdigit() or a.isupper() != b.isupper() for a, b in itertools.pairwise(token))
    return entropy >= _MIN_ENTROPY and changes >= _MIN_CHANGES


_BETWEEN = r"[\W_]{1,3}(?:[^\W\d_]{1,12}[\W_]{1,3}){0,3}"
"""What stands between the groups of a card: a few words at most."""
_GROUP = r"[A-Z]{0,6}\d[0-9A-Z]*+(?!\w)"
_CHECKED_SHAPES = (
    ("token", re.compile(r"[A-Za-z0-9+/_=-]{20,200}"), _looks_random),
    (
        "card",  # which begins with no year of ours
        re.compile(
            rf"(?<!\d)(?=[3-6]|2[2-7])(?:\d{{13,19}}|\d{{4}}{_BETWEEN}\d{{4}}{_BETWEEN}\d{{4}}{_BETWEEN}\d{{1,7}}"
            rf"|\d{{4}}{_BETWEEN}\d{{6}}{_BETWEEN}\d{{4,5}})(?!\d)"
        ),
        is_card,
    ),
    ("national_id", re.compile(rf"(?<![\w.]){_GROUP}(?:[ .\-/]{_GROUP})*", re.IGNORECASE), is_national_id),
)
"""What secrets with digits look like by kind, and the check that what looks so is one."""


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        places = [place for place in range(*match.span()) if text[place].isalnum()]
        if (number := find_iban("".join(text[place] for place in places).upper())) is not None:
            yield match.start(), places[len(number) - 1] + 1


def _spelled_secrets(text: str) -> Iterator[tuple[str, Span]]:
    """The recovery words of a wallet; digits in words that are as many as a card has, or a code and no counting."""
    words = [*_WORD.finditer(in_small_letters(text))]
    for run in _runs(words, _WALLET):
        if len(run) >= _MIN_WALLET:
            yield "seed_phrase", (run[0].start(), run[-1].end())
    for run in _runs(words, _DIGITS_BY_WORD):
        digits = "".join(_DIGITS_BY_WORD[word[0]] for word in run)
        is_count = digits in _COUNT or digits in _COUNT[::-1]
        is_code = len(digits) >= _MIN_SPOKEN and not is_count and mentions_code(text)
        if is_code or len(digits) >= _MIN_SPOKEN_CARD:
            yield "code", (run[0].start(), run[-1].end())


def _runs(words: Sequence[re.Match[str]], vocabulary: Collection[str]) -> Iterator[list[re.Match[str]]]:
    """Words of a vocabulary in a row, with numbers or punctuation between them at most."""
    runs = itertools.groupby(words, lambda word: word[0] in vocabulary)
    return ([*run] for is_known, run in runs if is_known)
