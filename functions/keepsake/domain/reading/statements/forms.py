"""What the forms of rules may have in their slots, and how a clause is compared with the forms.

``<name:kind>`` keeps under a name what is of a kind: what a list has, or a class of words; ``<name>`` what is of the
kind ``name``. ``<object:short!no_object>`` does not begin with what the list ``no_object`` has, and
``<object:word-allergie>`` is what stands before these letters in a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.patterns.phrase_forms import Form, FormReader, find_at
from keepsake.domain.english.word_groups import FEELINGS, NUMBERS, PETS
from keepsake.domain.entities.parse_relative import is_relation

_Words = Sequence[str]
_SLOT = re.compile(r"<([^<>]{1,80})>")
_MARKS = (",", ";", ":", "'s")
"""What is a word of its own behind another."""


class RuleForms(NamedTuple):
    """The forms of a rule, and the lists that their slots name."""

    forms: tuple[Form, ...]
    lists: Mapping[str, tuple[Form, ...]]


class RuleFormReader:
    """Reads the forms of the rules of one language."""

    def __init__(self, lists: Mapping[str, Sequence[str]], rules: Sequence[Mapping[str, Any]]) -> None:
        slots = frozenset(_SLOT.findall(f"{lists} {[rule.get('forms') for rule in rules]}"))
        kinds = {kind for slot in map(_Slot.read, slots) for kind in (slot.kind, slot.never) if kind}
        if unknown := {kind for kind in kinds if kind not in lists and _letters(kind)[1] not in _CLASSES}:
            raise ValueError(f"no lists or classes of words: {sorted(unknown)}")
        self._reader = FormReader(lists, slots)
        self._lists = {name: self._reader.read(entries) for name, entries in lists.items()}

    def read(self, forms: Sequence[str]) -> RuleForms:
        """The forms of one rule. Raises ValueError."""
        return RuleForms(self._reader.read(forms), self._lists)


class SaidWords:
    """The words of a clause, and which of them are of which kind."""

    def __init__(self, text: str, lists: Mapping[str, tuple[Form, ...]]) -> None:
        text = f"{text} "
        for mark in _MARKS:
            text = text.replace(f"{mark} ", f" {mark} ")
        self._said = text.split()
        self._words = [word.lower() for word in self._said]
        self._lists = lists
        self._ends: dict[tuple[str, int], frozenset[int]] = {}

    def match(self, forms: Sequence[Form]) -> Iterator[dict[str, str]]:
        """What is said in the slots of each form that all of the words have."""
        said = frozenset(self._words)
        for found in find_at([form for form in forms if _may_stand(form, said)], self._words, self._takes):
            if found.end == len(self._words):
                slots = {_Slot.read(written): span for written, span in found.slots.items()}
                yield {slot.name: self._text(slot.kind, *span) for slot, span in slots.items()}

    def _text(self, kind: str, start: int, end: int) -> str:
        text = " ".join(self._said[start:end])
        for mark in _MARKS:
            text = text.replace(f" {mark}", mark)
        before, _, after = _letters(kind)
        return text[len(before) : len(text) - len(after)]

    def _takes(self, written: str, start: int, end: int) -> bool:
        """Whether a slot may have these words."""
        slot = _Slot.read(written)
        return end in self._ends_of(slot.kind, start) and not (slot.never and self._ends_of(slot.never, start))

    def _ends_of(self, kind: str, start: int) -> frozenset[int]:
        """Where the words of a kind that begin at one of them may end."""
        if (kind, start) not in self._ends:
            listed = (found.end for found in find_at(self._lists.get(kind, ()), self._words, self._takes, start))
            self._ends[kind, start] = frozenset(listed if kind in self._lists else self._ends_of_class(kind, start))
        return self._ends[kind, start]

    def _ends_of_class(self, kind: str, start: int) -> Iterator[int]:
        before, name, after = _letters(kind)
        limit, fits = _CLASSES[name]
        for end in range(start + 1, min(start + limit, len(self._said)) + 1):
            word = self._words[end - 1]
            has_letters = word.startswith(before) and word.endswith(after) and len(word) > len(before + after)
            if has_letters and fits(self._said[start:end]):
                yield end


class _Slot(NamedTuple):
    name: str
    kind: str
    never: str

    @classmethod
    def read(cls, written: str) -> _Slot:
        """The slot of a form, from what a file has between its brackets."""
        named, _, never = written.partition("!")
        name, _, kind = named.partition(":")
        return cls(name, kind or name, never)


def _may_stand(form: Form, words: frozenset[str]) -> bool:
    """Whether there is a word for each place of a form where one of several has to stand."""
    return all(
        place.may_be_missing
        or place.slot != ""
        or any(one in words if isinstance(one, str) else _may_stand(one, words) for one in place.choices)
        for place in form.places
    )


def _letters(kind: str) -> tuple[str, str, str]:
    """The class of a kind, between the letters that stand beside it in a word."""
    first, _, second = kind.partition("-")
    return (first, second, "") if second in _CLASSES else ("", first, second)


def _has_no_mark(words: _Words) -> bool:
    return not any(mark in words for mark in _MARKS[:-1])


def _is_name(words: _Words) -> bool:
    return words[0][0].isalpha() and words[0].translate(_IN_NAMES).isalnum()


def _is_like(pattern: str) -> Callable[[_Words], bool]:
    compiled = re.compile(pattern)
    return lambda words: compiled.fullmatch(" ".join(words).lower()) is not None


_IN_NAMES = dict.fromkeys(map(ord, "'.-_"))
_CLASSES: Mapping[str, tuple[int, Callable[[_Words], bool]]] = {
    "word": (1, _has_no_mark),
    "number": (1, lambda words: words[0].isdigit()),
    "day": (1, lambda words: words[0].rstrip(".").isdigit()),
    "year": (1, lambda words: words[0].isdigit() and len(words[0]) == 4),
    "first_name": (1, _is_name),
    "capital": (1, lambda words: words[0][0].isupper() and _is_name(words)),
    "few": (3, _has_no_mark),
    "short": (12, _has_no_mark),
    "text": (60, bool),
    "amount": (3, _is_like(NUMBERS)),
    "animal": (2, _is_like(PETS)),
    "feeling": (3, _is_like(FEELINGS)),
    "kin": (4, _is_like(f"{RELATIONS}|{FRIENDS}")),
    "relative": (4, lambda words: is_relation(" ".join(words).lower())),
}
"""Classes of words: how many they are at most, and what they have in common."""
