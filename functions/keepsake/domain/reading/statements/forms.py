"""What the forms of rules may have in their slots, and how a clause is compared with the forms.

``<name:kind>`` keeps under a name what is of a kind: what a list has, or a class of words; ``<name>`` what is of the
kind ``name``. ``<object:short!no_object>`` does not begin with what the list ``no_object`` has, and
``<object:word-allergie>`` is what stands before these letters in a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from keepsake.domain.english.grammar.word_forms import is_adverb, is_in
from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.patterns.phrase_forms import Form, FormReader, find_at
from keepsake.domain.english.word_groups import (
    DIETS,
    FEELINGS,
    NAMES_LIKE_FORMS,
    NATIONALITIES_AND_RELIGIONS,
    NUMBERS,
    PETS,
)
from keepsake.domain.entities.parse_relative import is_relation

_SLOT = re.compile(r"<([^<>]{1,80})>")
_PAUSES = frozenset({",", ";", ":"})
_MARKS = (*_PAUSES, "'s")
"""What is a word of its own behind another."""
_GRAMMAR = load_words("function_words")
_NOT_NAMES = load_words("not_names", __package__)
_STATE = re.compile(f"{FEELINGS}|{DIETS}")
_ENDINGS_OF_ADJECTIVES = ("ish", "ese", "less", "ful", "ing", "ed")
_IN_NAMES = dict.fromkeys(map(ord, "'.-_"))
_MAX_AGE = 120


class Slot(NamedTuple):
    """A slot of a form: its name, of which kind its words are, and with what they never begin."""

    name: str
    kind: str
    never: str


@cache
def read_slot(written: str) -> Slot:
    """The slot that a form has between its brackets."""
    named, _, never = written.partition("!")
    name, _, kind = named.partition(":")
    return Slot(name, kind or name, never)


def form_reader(lists: Mapping[str, Sequence[str]], rules: Iterable[Mapping[str, Any]]) -> FormReader:
    """A reader of the forms of some rules. Raises ValueError where a slot is of a kind that does not exist."""
    slots = frozenset(_SLOT.findall(f"{lists} {[rule.get('forms') for rule in rules]}"))
    kinds = {kind for slot in map(read_slot, slots) for kind in (slot.kind, slot.never) if kind}
    if unknown := {kind for kind in kinds if kind not in lists and _letters(kind)[1] not in _CLASSES}:
        raise ValueError(f"no lists or classes of words: {sorted(unknown)}")
    return FormReader(lists)


class SaidWords:
    """The words of a clause, and which of them are of which kind."""

    def __init__(self, text: str, lists: Mapping[str, Sequence[Form]]) -> None:
        text = f"{text} "
        for mark in _MARKS:
            text = text.replace(f"{mark} ", f" {mark} ")
        self._said = text.split()
        self._words = [word.lower() for word in self._said]
        self._lists = lists
        self._ends_of = cache(lambda kind, start: frozenset(self._find_ends(kind, start)))

    def match(self, forms: Sequence[Form]) -> Iterator[dict[str, str]]:
        """What is said in the slots of each form that all of the words have."""
        for found in find_at(forms, self._words, self._takes):
            if found.end == len(self._words):
                slots = {read_slot(written): span for written, span in found.slots.items()}
                yield {slot.name: self._text(slot.kind, *span) for slot, span in slots.items()}

    def _text(self, kind: str, start: int, end: int) -> str:
        text = " ".join(self._said[start:end])
        for mark in _MARKS:
            text = text.replace(f" {mark}", mark)
        before, _, after = _letters(kind)
        return text[len(before) : len(text) - len(after)]

    def _takes(self, written: str, start: int, end: int) -> bool:
        """Whether a slot may have these words."""
        _, kind, never = read_slot(written)
        return end in self._ends_of(kind, start) and not (never and self._ends_of(never, start))

    def _find_ends(self, kind: str, start: int) -> Iterator[int]:
        """Where the words of a kind that begin at one of them may end."""
        if kind in self._lists:
            yield from (found.end for found in find_at(self._lists[kind], self._words, self._takes, start))
            return
        before, name, after = _letters(kind)
        limit, fits = _CLASSES[name]
        for end in range(start + 1, min(start + limit, len(self._said)) + 1):
            word = self._words[end - 1]
            has_letters = word.startswith(before) and word.endswith(after) and len(word) > len(before + after)
            if has_letters and fits(" ".join(self._said[start:end])):
                yield end


def _letters(kind: str) -> tuple[str, str, str]:
    """The class of a kind, between the letters that stand beside it in a word."""
    first, _, second = kind.partition("-")
    return (first, second, "") if second in _CLASSES else ("", first, second)


def _is_word(said: str) -> bool:
    return said[0].isalpha() and said.translate(_IN_NAMES).isalnum()


def _is_called(said: str) -> bool:
    """Whether somebody may be called by this word."""
    word = said.lower()
    is_of_grammar = (word in _GRAMMAR and not is_in("auxiliaries", word)) or is_adverb(word)  # "Will" is a name
    return not is_of_grammar and word not in _NOT_NAMES and _is_word(said)


def _is_first_name(said: str) -> bool:
    """Whether a word is a name by its capital, and no nationality, feeling or adjective."""
    word = said.lower()
    is_adjective = word[1:].endswith(_ENDINGS_OF_ADJECTIVES) or _STATE.fullmatch(word) is not None
    is_name = word not in NATIONALITIES_AND_RELIGIONS and (word in NAMES_LIKE_FORMS or not is_adjective)
    return is_name and said[0].isupper() and _is_called(said)


def _is_like(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda said: compiled.fullmatch(said) is not None


_CLASSES: Mapping[str, tuple[int, Callable[[str], bool]]] = {
    "word": (1, lambda said: said not in _PAUSES),
    "number": (1, str.isdigit),
    "age": (1, lambda said: said.isdigit() and 0 < int(said) <= _MAX_AGE),
    "day": (1, lambda said: said.rstrip(".").isdigit()),
    "year": (1, lambda said: said.isdigit() and len(said) == 4),
    "name_word": (1, _is_called),
    "first_name": (1, _is_first_name),
    "capital": (1, lambda said: said[0].isupper() and _is_word(said)),
    "few": (3, lambda said: _PAUSES.isdisjoint(said.split())),
    "short": (12, lambda said: _PAUSES.isdisjoint(said.split())),
    "text": (60, bool),
    "amount": (3, _is_like(NUMBERS)),
    "animal": (2, _is_like(PETS)),
    "feeling": (3, _is_like(FEELINGS)),
    "kin": (4, _is_like(f"{RELATIONS}|{FRIENDS}")),
    "relative": (4, lambda said: is_relation(said.lower())),
}
"""Classes of words: how many they are at most, and what they have in common."""
