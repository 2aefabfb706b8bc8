"""Compares likings with favorites: whoever has a favorite also likes it, and cannot dislike it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.phrase_slugs import phrase_slug
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.decisions import Contradiction

_LIKES, _FAVORITE = "likes", "favorite_"
_LIKING_WORDS = re.compile(r"\b(?:favou?rites?|preferred|go-to)\b", re.IGNORECASE)


def find_favorite(candidate: Candidate, active: Sequence[Memory]) -> Memory | None:
    """The favorite memory of the thing that the candidate says the person likes."""
    liked = _liked(candidate)
    if liked is None or candidate.value != "like":
        return None
    return next((memory for memory in active if _is_favorite(memory, liked)), None)


def is_named_as_favorite(candidate: Candidate, stated: Sequence[Candidate]) -> bool:
    """Whether the same message names the liked thing as a favorite."""
    liked = _liked(candidate)
    return liked is not None and candidate.value == "like" and any(_is_favorite(other, liked) for other in stated)


def find_liking(candidate: Candidate, active: Sequence[Memory]) -> Memory | None:
    """The liking of the thing that the candidate names as a favorite."""
    return next((memory for memory in _likings(candidate, active) if memory.value == "like"), None)


def conflicting_favorites(candidate: Candidate, active: Sequence[Memory]) -> list[Contradiction]:
    """The favorite of what is now disliked, or the dislike of what is now a favorite."""
    liked = _liked(candidate)
    if liked is not None and candidate.value == "dislike":
        favorites = [memory for memory in active if _is_favorite(memory, liked)]
        return [Contradiction(memory, "names as a favorite what is not liked") for memory in favorites]
    disliked = [memory for memory in _likings(candidate, active) if memory.value == "dislike"]
    return [Contradiction(memory, "says they do not like what is now a favorite") for memory in disliked]


def _likings(candidate: Candidate, active: Sequence[Memory]) -> list[Memory]:
    """The memories that say whether the person likes the favorite that the candidate names."""
    kind = _favorite_kind(candidate.key, candidate.text)
    if kind is None:
        return []
    return [memory for memory in active if (what := _liked(memory)) and what in _slugs(kind, candidate.value)]


def _is_favorite(stated: Candidate | Memory, liked: str) -> bool:
    kind = _favorite_kind(stated.key, stated.text)
    return kind is not None and liked in _slugs(kind, stated.value)


def _liked(stated: Candidate | Memory) -> str | None:
    """The thing that a statement says the person likes or dislikes."""
    key = parse_key(stated.key)
    return key.what or None if key.attribute == _LIKES else None


def _favorite_kind(key: str | None, text: str) -> str | None:
    """The kind of a favorite ("food"); a greatest fear has a key of the same form, and is no favorite."""
    said = parse_key(key)
    kind = said.attribute.removeprefix(_FAVORITE)
    return kind if kind != said.attribute and not said.what and _LIKING_WORDS.search(text) else None


def _slugs(kind: str, value: str | None) -> frozenset[str]:
    """The slugs under which the favorite may stand as a liked thing ("blue", "the color blue")."""
    what = phrase_slug(value or "")
    return frozenset({what, f"{kind}_{what}", f"{what}_{phrase_slug(kind)}"} if what else ())
