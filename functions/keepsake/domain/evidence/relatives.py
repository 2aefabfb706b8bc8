"""Checks what relative a named person is: a statement calls them what the message calls them."""

from __future__ import annotations

from collections.abc import Iterable

from keepsake.domain.evidence.clauses_around import Passage, same_thing
from keepsake.domain.evidence.text_forms import folded_words

_MAX_GAP = 2
"""Words between two people of whom one is the other's ("the daughter of my neighbor")."""
_MAX_LINK = 5
"""Letters of such a word, unless it means "my"."""


def has_other_relation(statement: str, message: str, names: Iterable[str], language: str) -> bool:
    """Whether a statement calls one of the named people something else than the message does.

    That is another relative ("sister Ana" for "my aunt Ana"), or only one of two ("daughter Clara" for "the daughter
    of my neighbor, Clara"). Words without a meaning in the lists of the language are not compared.
    """
    stated, said = Passage(statement, statement, language), Passage(message, "", language)
    if not stated.is_known:
        return False
    return any(_differs(stated, said, name) for full in names for name in folded_words(full))


def _differs(stated: Passage, said: Passage, name: str) -> bool:
    ours, theirs = _people_before(stated, name), _people_before(said, name)
    if not ours or not theirs or any("their" in said.kinds(place - 1) for place in theirs if place):
        return False  # "his daughter Patty" may be the author's niece
    if any(_is_among(stated, place, said, theirs) for place in ours):
        everything = range(len(stated.tokens))
        return len(theirs) > 1 and not all(_is_among(said, place, stated, everything) for place in theirs)
    is_known = all(map(stated.is_person, ours)) and any(map(said.is_person, theirs))
    says_theirs = any(_is_among(said, place, stated, range(len(stated.tokens))) for place in theirs)
    is_said = any(_is_among(stated, place, said, range(len(said.tokens))) for place in ours)
    return is_known and not (is_said or says_theirs)


def _people_before(passage: Passage, name: str) -> list[int]:
    """The places of the people whose word stands before a name: its own, and whose they are, up to a mark."""
    start = next((place for place, token in enumerate(passage.tokens) if same_thing(token, [name])), None)
    if start is None or passage.is_person(start):
        return []
    found: list[int] = []
    gap: list[int] = []
    for place in range(start - 1, -1, -1):
        if _is_person(passage, place):
            found.append(place)
            gap = []
        elif _is_border(passage, place, has_person=bool(found)) or len(gap) == _MAX_GAP + (not found):
            break
        else:
            gap.append(place)
    return found


def _is_person(passage: Passage, place: int) -> bool:
    """Whether a word names a relative, by the lists or because it stands after "my"."""
    return passage.is_person(place) or (place > 0 and "my" in passage.kinds(place - 1) and not passage.is_mark(place))


def _is_border(passage: Passage, place: int, *, has_person: bool) -> bool:
    """Whether what stands before a word belongs to nobody after it; a mark may stand before a name alone."""
    ends = passage.is_mark(place) if has_person else passage.is_sentence_end(place)
    return ends or not _links(passage, place)


def _links(passage: Passage, place: int) -> bool:
    """Whether a word may stand between a name and its relative: a mark, an article, "of", "my"."""
    if passage.kinds(place) & {"i", "they", "and"} - ({"and"} if "the" in passage.kinds(place) else set()):
        return False
    return passage.is_mark(place) or len(passage.tokens[place]) <= _MAX_LINK or "my" in passage.kinds(place)


def _is_among(passage: Passage, place: int, other: Passage, places: Iterable[int]) -> bool:
    """Whether a word of one text, or another word for the same relative, stands at some places of the other."""
    word, groups = passage.tokens[place], passage.relations(place)
    return any(same_thing(word, [other.tokens[one]]) or groups & other.relations(one) for one in places)
