"""Leaves out of a summary what the same context says elsewhere, sentence by sentence and item by item.

It reads the form in which summaries are written without a model: "2026-10-26 to 2026-11-01: New: has a dog (Monday);
likes tea (Friday). Mentioned: Anna (2 times)." What a model wrote stays, but for what is one statement word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from keepsake.domain.text import words

_FELT = "Felt "
_CHANGED = "Changed: "
_LISTS = ("New", "Plans", "Spoke of", "Of late", "To do", "Tone")
_SPINE = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")
_LABELS = frozenset({_FELT, _CHANGED, *(f"{label}: " for label in (*_LISTS, *_SPINE))})
"""Before what holds; of what is over ("No longer") nothing is compared."""
_MINOR = frozenset({"Mentioned: ", "People: "})
"""Before names, which say nothing where the statements about them are left out."""
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z][\w ]{1,30}: |\d{4}-\d\d-\d\d|Felt )")
_HEAD = re.compile(r"[^:;“”()]{1,40}: ")
_QUOTED = re.compile(r"“[^“”]{1,500}”(?: \([^()]{1,40}\))?")
_SEMICOLON = re.compile(r"; (?![^()]{0,200}\))")
_COMMA_OR_AND = re.compile(r"(?:, | and )(?![^()]{0,200}\))")
_MORE = re.compile(r"(?:and )?\d{1,3} more")
_REMARK = re.compile(r" \([^()]{1,200}\)$")
_WANTING = re.compile(
    r"(?:(?:wants|plans|hopes|intends|would like|(?:the )?goal is) (?=to \w)|(?:feels?|felt|is feeling) )",
    re.IGNORECASE,
)
_PRESENT = frozenset({"now", "currently"})


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a summary: the days it is of ("2026-10-26: "), its label ("New"), and what follows."""

    days: tuple[str, ...]
    label: str
    body: str

    @classmethod
    def read(cls, text: str) -> Self:
        """The sentence of a text."""
        heads: list[str] = []
        while match := _HEAD.match(text):
            heads.append(match[0])
            text = text[match.end() :]
        has_label = bool(heads) and not any(map(str.isdigit, heads[-1]))
        if has_label:
            return cls(tuple(heads[:-1]), heads[-1], text)
        label = _FELT if text.startswith(_FELT) else ""
        return cls(tuple(heads), label, text.removeprefix(label))

    @property
    def items(self) -> list[str]:
        """The statements that it lists; none where it lists names, or what is over."""
        bare = self.body.removesuffix(".")
        if self.label == _FELT and not _SEMICOLON.search(bare):
            return _COMMA_OR_AND.split(bare)
        if self.label not in _LABELS:
            return [] if self.label else [bare]
        found = _QUOTED.findall(bare)
        return [*found, *_MORE.findall(bare[bare.rfind("”") :])] if found else _SEMICOLON.split(bare)

    def with_items(self, items: Sequence[str]) -> Self:
        """The sentence with fewer items, joined as they were."""
        if len(items) > 1 and not _SEMICOLON.search(self.body):
            return replace(self, body=f"{', '.join(items[:-1])} and {items[-1]}.")
        return replace(self, body=f"{'; '.join(items)}.")


@lru_cache(maxsize=512)
def normalize_statement(text: str) -> str:
    """A statement as it is compared: its words, without wanting, feeling and "now", which summaries leave out."""
    bare = text.lstrip(" “")
    wanting = _WANTING.match(bare)
    return " ".join(word for word in words(bare[wanting.end() :] if wanting else bare) if word not in _PRESENT)


def statements_of(text: str) -> frozenset[str]:
    """What a summary says holds, or was felt or planned, each normalized, with its remark ("(Monday)") and without."""
    found: set[str] = set()
    for sentence in _read(text):
        for item in sentence.items:
            found |= _forms(item) | _compared(sentence, item)
    return frozenset(found)


def leave_out(text: str, said: AbstractSet[str]) -> str:
    """A summary without the items that are said; empty where nothing of it remains."""
    kept: list[str] = []
    has_statement = False
    days: tuple[str, ...] = ()
    for sentence in _read(text):
        days = (*days[: max(0, len(days) - len(sentence.days))], *sentence.days)
        items = sentence.items
        left = [item for item in items if said.isdisjoint(_compared(sentence, item))]
        if items and all(map(_MORE.fullmatch, left)):
            continue
        shown = sentence if len(left) == len(items) else sentence.with_items(left)
        has_statement = has_statement or sentence.label not in _MINOR
        kept.append("".join((*days, shown.label, shown.body)))
        days = ()
    return " ".join(kept) if has_statement else ""


def _read(text: str) -> Iterator[_Sentence]:
    return map(_Sentence.read, _SENTENCES.split(text))


def _compared(sentence: _Sentence, item: str) -> frozenset[str]:
    """The forms of an item by which it is left out: what was so before is said only by the same change."""
    forms = _forms(item)
    return frozenset(f"{_CHANGED}{form}" for form in forms) if sentence.label == _CHANGED else forms


@lru_cache(maxsize=512)  # a section is compared, and what is left of it is what the next ones may not repeat
def _forms(item: str) -> frozenset[str]:
    """An item as it is compared: with the remark at its end, and without."""
    bare = _REMARK.sub("", item) if item.endswith(")") else item
    return frozenset({normalize_statement(item), normalize_statement(bare)}) - {""}
