"""Forms in which files say what phrases look like, and their comparison with words.

    forget everything|all_of_it that? {know}? <subject>

A form is compared word by word: ``a|b_c`` is one of several words or phrases, what has ``?`` behind it may be missing,
and what has ``*`` may also be repeated. ``{know}`` is one of a list of forms, and ``<subject>`` a slot for any words
that its reader takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Place(NamedTuple):
    """What stands at one place of a form: one of several words or forms, or a slot."""

    choices: tuple[str | Form, ...] = ()
    slot: str = ""
    may_be_missing: bool = False
    is_repeated: bool = False
    first_words: frozenset[str] | None = None
    """The words with which a choice begins; None where any may be the first."""


Form = tuple[Place, ...]
"""What phrases look like: place by place."""
Takes = Callable[[str, int, int], bool]
"""Whether a slot may have the words from an index up to another one."""
_Slots = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class FormReader:
    """Reads forms, and the named lists of forms that they contain, which may name one another."""

    lists: Mapping[str, str | Sequence[str]]

    def read(self, written: str | Sequence[str]) -> tuple[Form, ...]:
        """The forms of what a file has: one, or a list of them. Raises KeyError for a list that does not exist."""
        forms = [written] if isinstance(written, str) else written
        return tuple(tuple(map(self._place, form.split())) for form in forms)

    def _place(self, written: str) -> Place:
        bare = written.rstrip("?*")
        if bare.startswith("<"):
            return Place((), bare[1:-1], bare != written)
        choices = tuple(choice for one in bare.split("|") for choice in self._choices(one))
        return Place(choices, "", bare != written, written.endswith("*"), _first_words(choices))

    def _choices(self, written: str) -> tuple[str | Form, ...]:
        if written.startswith("{"):
            return self.read(self.lists[written[1:-1]])
        return (tuple(map(self._place, written.split("_"))),) if "_" in written else (written,)


def _first_words(choices: Iterable[str | Form]) -> frozenset[str] | None:
    """The words with which some words or forms begin; None where any may be the first."""
    found: set[str] = set()
    for choice in choices:
        if isinstance(choice, str):
            found.add(choice)
            continue
        for place in choice:
            if place.first_words is None:
                return None
            found |= place.first_words
            if not place.may_be_missing:
                break
    return frozenset(found)


class Found(NamedTuple):
    """Where a form stands in words, and the indexes of the words of its slots."""

    start: int
    end: int
    slots: Mapping[str, tuple[int, int]]


def find_at(forms: Sequence[Form], words: Sequence[str], takes: Takes, at: int = 0) -> Iterator[Found]:
    """Each way in which one of the forms stands at a place in words."""
    for form in forms:
        for end, slots in _match(form, words, takes, at):
            yield Found(at, end, {slot: (first, last) for slot, first, last in slots})


def find(forms: Sequence[Form], words: Sequence[str], takes: Takes = lambda *_: False) -> Found | None:
    """The first place at which one of the forms stands in words."""
    return next((found for at in range(len(words)) for found in find_at(forms, words, takes, at)), None)


def _match(form: Form, words: Sequence[str], takes: Takes, at: int) -> Iterator[tuple[int, _Slots]]:
    """Each way in which a form stands at a place in words: where it ends, and its slots."""
    if not form:
        yield at, ()
        return
    place, following = form[0], form[1:]
    if place.first_words is None or (at < len(words) and words[at] in place.first_words):
        match_place = _match_repeated if place.is_repeated else _match_place
        for end, named in match_place(place, words, takes, at):
            for last, slots in _match(following, words, takes, end):
                yield last, (*named, *slots)
    if place.may_be_missing:
        yield from _match(following, words, takes, at)


def _match_repeated(place: Place, words: Sequence[str], takes: Takes, at: int) -> Iterator[tuple[int, _Slots]]:
    """Each end of one or more of what stands at a place, the farthest first and each once, however it is reached."""
    found: dict[int, _Slots] = {}
    starts = [at]
    while starts:
        for end, slots in _match_place(place, words, takes, starts.pop()):
            if end not in found:
                found[end] = slots
                starts.append(end)
    yield from sorted(found.items(), reverse=True)


def _match_place(place: Place, words: Sequence[str], takes: Takes, at: int) -> Iterator[tuple[int, _Slots]]:
    """Each way in which what has to stand at one place stands there."""
    for end in range(at + 1, len(words) + 1) if place.slot else ():
        if takes(place.slot, at, end):
            yield end, ((place.slot, at, end),)
    for choice in place.choices:
        if not isinstance(choice, str):
            yield from ((end, slots) for end, slots in _match(choice, words, takes, at) if end > at)
        elif at < len(words) and words[at] == choice:
            yield at + 1, ()
