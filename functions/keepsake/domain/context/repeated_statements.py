"""Leaves out of a summary what the same context says elsewhere, item by item."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache

from keepsake.domain.context.outline import Item, Outline, Role, Sentence
from keepsake.domain.text import words

_WANTING = re.compile(
    r"(?:(?:wants|plans|hopes|intends|would like|(?:the )?goal is) (?=to \w)|(?:feels?|felt|is feeling) )",
    re.IGNORECASE,
)
_PRESENT = frozenset({"now", "currently"})


@lru_cache(maxsize=512)
def normalize_statement(text: str) -> str:
    """A statement as it is compared: its words, without wanting, feeling and "now"."""
    wanting = _WANTING.match(text)
    return " ".join(word for word in words(text[wanting.end() :] if wanting else text) if word not in _PRESENT)


def statements_of(outline: Outline) -> frozenset[str]:
    """What a summary says holds, or was felt or planned, each normalized."""
    return frozenset(_said(outline.all_sentences)) - {""}


def leave_out(outline: Outline, said: AbstractSet[str]) -> Outline | None:
    """A summary without the items that are said; None where nothing of it remains."""
    left = _without(outline, said)
    return left if any(one.role is not Role.NAMES for one in left.all_sentences) else None


def leave_out_ended(outline: Outline, ended: Iterable[str]) -> Outline:
    """A summary without the items that state what is no longer so, also where they tell it as a change."""
    said = [normalize_statement(one) for one in ended]
    return _without(outline, {*said, *(f"{Role.CHANGED}: {one}" for one in said)})


def _without(outline: Outline, said: AbstractSet[str]) -> Outline:
    kept: list[Sentence] = []
    for sentence in outline.sentences:
        if sentence.role in {Role.OVER, Role.NAMES}:
            kept.append(sentence)
        elif not sentence.items:
            kept += [sentence] if normalize_statement(sentence.opening) not in said else []
        elif items := [item for item in sentence.items if _key(sentence, item) not in said]:
            kept.append(replace(sentence, items=items))
    parts = [part for part in (_without(one, said) for one in outline.parts) if part.all_sentences]
    return replace(outline, sentences=kept, parts=parts)


def _said(sentences: Iterable[Sentence]) -> Iterable[str]:
    for sentence in sentences:
        if sentence.role in {Role.CURRENT, Role.CHANGED}:
            yield from (_key(sentence, item) for item in sentence.items)
            yield from (normalize_statement(item.statement or item.text) for item in sentence.items)
            if not sentence.items:
                yield normalize_statement(sentence.opening)


def _key(sentence: Sentence, item: Item) -> str:
    """What identifies an item; a change also says what was so before, so that only the same change repeats it."""
    statement = normalize_statement(item.statement or item.text)
    return f"{sentence.role}: {statement}" if sentence.role is Role.CHANGED else statement
