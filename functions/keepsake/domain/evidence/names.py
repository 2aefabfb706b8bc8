"""Checks the proper names of a statement: each stands in the texts that it may rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.evidence.grounds import Grounds
from keepsake.domain.evidence.language_words import calendar_names
from keepsake.domain.evidence.text_forms import LETTER, fold, folded_words, has_no_spaces
from keepsake.domain.text import TITLES, normalize_apostrophes, strip_invisible, word_set

_WORD = re.compile(rf"(?<![^\W_])[^\W\d_]{LETTER}*(?:['.-][^\W\d_]{LETTER}*)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_CAPITALIZED_RUN = re.compile(r"\b[A-Z][\w'.-]{0,40}(?:\s[A-Z][\w'.-]{0,40}){1,6}")
_OPENING = frozenset('.!?:;\n("“„«')
_ABBREVIATIONS = word_set("sms tv pc cv id cd dvd usb gps wifi ok er ceo hr it")
_NOUNS_WITH_CAPITALS = frozenset({"de", "lb"})
"""Languages that write every noun with a capital letter."""
_UNCHANGED_NAMES = word_set("en es fr pt it nl sv no da de ca gl id ms vi tl af cy")
"""Languages whose names have no endings but ``'s``."""
_MAX_ENDING, _MIN_COMMON, _MIN_MISSPELLED = 4, 3, 7
_MIN_NATIONALITY, _MIN_JOINED = 3, 4
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))


def unsupported_names(statement: str, grounds: Grounds, named: Iterable[str] = ()) -> list[str]:
    """The proper names of a statement that neither the grounds nor their further texts have.

    Names are capitalized words inside a sentence. Where a language has no capitals, or capitals for every noun, and
    at the beginning of a sentence, only words of ``named`` count as names: what the model says is one. A kin word, a
    title, a weekday or a month is no name.
    """
    known = _Names((grounds.text, *grounds.named), grounds)
    sure = {word for name in named for word in folded_words(name)}
    shown = normalize_apostrophes(strip_invisible(statement))
    if has_no_spaces(shown):
        return [name for name in named if fold(name) in fold(shown) and not known.has_piece(name)]
    candidates = [match for match in _WORD.finditer(shown) if _may_be_name(match, shown, sure, grounds)]
    return [match[0] for match in candidates if not known.has(match[0], _full_name(match, shown))]


def proper_names(texts: Iterable[str]) -> frozenset[str]:
    """The folded words that some texts write with a capital letter inside a sentence."""
    found: set[str] = set()
    for text in texts:
        shown = normalize_apostrophes(strip_invisible(text))
        for match in _WORD.finditer(shown):
            if match[0][0].isupper() and not _starts_sentence(shown[: match.start()]):
                found.update(part.removesuffix("'s") for part in folded_words(match[0]))
    return frozenset(found) - {"i"}


def _may_be_name(match: re.Match[str], statement: str, sure: set[str], grounds: Grounds) -> bool:
    word, folded = match[0], set(folded_words(match[0]))
    is_named = bool(folded & sure)
    if (
        not folded
        or not (is_named or word[0].isupper())
        or (is_named and word.islower() and word[0] != word[0].upper())
    ):
        return False
    if folded <= _ABBREVIATIONS | TITLES or any(kinship_of(part.removesuffix("'s")) is not None for part in folded):
        return False
    if folded & {*WEEKDAYS, *map(str.lower, MONTHS)} or any(map(calendar_names(grounds.languages).senses, folded)):
        return False
    if is_named:
        return True
    starts = _starts_sentence(statement[: match.start()])
    return not starts and grounds.code not in _NOUNS_WITH_CAPITALS


def _starts_sentence(before: str) -> bool:
    """Whether what comes after a text begins a sentence."""
    rest = before.rstrip(" '‘*_-–—…")
    return not rest or rest[-1] in _OPENING


def _full_name(match: re.Match[str], statement: str) -> str:
    """The name of several capitalized words that a word belongs to."""
    for run in _CAPITALIZED_RUN.finditer(statement):
        if run.start() <= match.start() < run.end():
            return run[0]
    return match[0]


@lru_cache(maxsize=1024)  # the sentences of a reply are checked one by one against the same texts
def _words_of_names(text: str) -> frozenset[str]:
    """The words of a text that may be a name, and the parts of those that are joined."""
    found = {word.removesuffix("'s").removesuffix("'") for word in folded_words(text)}
    return frozenset(found | {part for word in found for part in (*word.split("'"), *_LETTERS.findall(word))})


class _Names:
    """The words that names may come from."""

    def __init__(self, texts: Sequence[str], grounds: Grounds) -> None:
        self._texts = texts
        self._words = frozenset[str]().union(*map(_words_of_names, texts))
        self._has_endings = bool(grounds.code) and grounds.code not in _UNCHANGED_NAMES
        self._has_endings = self._has_endings or not grounds.code

    @cached_property
    def _text(self) -> str:
        return fold("\n".join(self._texts))

    @cached_property
    def _joined(self) -> str:
        return re.sub(r"[\W_]+", "", self._text)

    def has_piece(self, name: str) -> bool:
        """Whether a name of a script without blanks occurs, or two characters of it in a row."""
        folded = re.sub(r"[\W_]+", "", fold(name))
        return folded in self._joined or any(part in self._words for part in folded_words(name))

    def has(self, word: str, full: str) -> bool:
        """Whether a word of a name occurs, in another form or as an initial of a shorter name."""
        parts = [part.removesuffix("'s").removesuffix("'") for part in folded_words(word)]
        return all(map(self._has_word, parts)) or self._has_letters(word) or self._is_abbreviated(full)

    def _has_letters(self, word: str) -> bool:
        """Whether its letters occur: "X-ray" as "xray", "D'Souza" as "dsouza"."""
        letters = re.sub(r"[\W_]+", "", fold(word).removesuffix("'s"))
        return len(letters) >= _MIN_JOINED and letters in self._joined

    def _has_word(self, word: str) -> bool:
        if word in self._words or word.removesuffix("s") in self._words or f"{word}s" in self._words:
            return True
        if self._has_letters(word) or self._is_nationality(word):
            return True
        if any(word.replace(*pair) in self._words for pair in _UMLAUTS):
            return True
        return any(self._is_form(word, other) for other in self._words)

    def _is_form(self, word: str, other: str) -> bool:
        """Whether two words are a name with different endings, or one is a long name with one wrong letter."""
        if any(word == other.replace(*pair) for pair in _UMLAUTS):
            return True
        if min(len(word), len(other)) >= _MIN_MISSPELLED and word[0] == other[0] and _differ_by_one(word, other):
            return True
        if not self._has_endings:
            return False
        common = 0
        while common < min(len(word), len(other)) and word[common] == other[common]:
            common += 1
        maximum = max(len(word), len(other))
        return common >= _MIN_COMMON and maximum - common <= _MAX_ENDING and common >= min(len(word), len(other)) - 2

    def _is_nationality(self, word: str) -> bool:
        """Whether a nationality or a language is that of a country, or the other way round ("Brazilian", "brazil")."""
        listed = load_words("nationalities_and_religions") | load_words("languages")
        near = [other for other in self._words if other[:_MIN_NATIONALITY] == word[:_MIN_NATIONALITY]]
        return any(word in listed or other in listed for other in near)

    def _is_abbreviated(self, name: str) -> bool:
        """Whether the initials of a name occur, or the words whose initials it is ("NYC", "UK")."""
        parts = folded_words(name)
        if len(parts) > 1:
            return "".join(part[0] for part in parts) in self._words
        written = re.findall(r"[^\W_]+", self._text)
        size = len(name)
        if not name.isupper() or not 1 < size <= _MAX_ENDING:
            return False
        initials = "".join(word[0] for word in written)
        return fold(name) in initials


def _differ_by_one(word: str, other: str) -> bool:
    """Whether one letter was added, left out or changed, or two were exchanged."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return word == other
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, other_rest = word[start:], other[start:]
    return (
        rest[1:] == other_rest[1:]
        or rest[1:] == other_rest
        or rest == other_rest[1:]
        or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    )
