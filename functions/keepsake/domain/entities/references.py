"""Which entities a statement names, read from its key, its value and its text in the third person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.entities.entity import entity_slug
from keepsake.domain.memory import Candidate
from keepsake.domain.text import slug, vocabulary

_BY_ATTRIBUTE = {"employer": "org", "home": "place", "hometown": "place", "birthplace": "place"}
_ONE = r"[^\W\d_a-z][\w'&.-]*"
_NAME = rf"{_ONE}(?:(?: (?:of|the|de|da|van|von|der|and))? {_ONE}){{0,3}}"
_NAMED_IN_TEXT = tuple(
    (kind, re.compile(pattern.replace("NAME", f"(?P<name>{_NAME})").replace("MORE", f"(?P<more>{_ONE})")))
    for kind, pattern in (
        ("org", r"\b[Ww]ork(?:s|ed|ing)? (?:at|for) NAME"),
        ("org", r"\b(?:[Ss]tud(?:ies|ied|ying) (?:\w+ )?at|[Gg]raduated from) NAME"),
        ("org", r"\b(?:CEO|CTO|CFO|COO|[Ff]ounder|[Dd]irector|[Mm]anager|[Hh]ead|[Oo]wner|[Pp]artner) (?:of|at) NAME"),
        ("org", r"\b(?:company|startup|start-up|business|firm|agency|studio|band|team|club) (?:called|named) NAME"),
        (
            "place",
            r"\b(?:(?:[Ll]ived?s?|[Bb]orn|[Gg]rew up) in|(?:[Mm]oved|[Rr]elocated) to|[Ii]s from) NAME(?:, MORE)?",
        ),
        (
            "project",
            r"\b(?:app|project|game|book|novel|website|site|tool|album|podcast|blog|film) (?:called|named) NAME",
        ),
        ("person", r"\b(?:[Mm]arried|[Ee]ngaged) to NAME"),
    )
)
_PEOPLE = re.compile(
    rf"\b(?:{RELATIONS}|{FRIENDS}|{OTHERS})s?,? (?:(?:named|called) )?"
    rf"(?P<names>{_ONE}(?:, {_ONE}){{0,12}},? and {_ONE})"
)
_UNNAMED = vocabulary("""
    a an the my our their his her own with alone in at near here there home small big new old same another some
    this that it from abroad overseas self employed freelance myself nowhere somewhere
""")
_MOST_WORDS = 5
_PROJECT = "goal|project|self|goal|project_"


@dataclass(frozen=True, slots=True)
class _Named:
    kind: str
    label: str

    @property
    def key(self) -> str:
        return f"{self.kind}:{entity_slug(self.label)}"


def with_entities(candidate: Candidate) -> Candidate:
    """The candidate with everybody and everything it names in its references, whom it is about first."""
    found = [one for one in _named(candidate) if entity_slug(one.label)]
    first = [_as_labelled(ref, candidate.entity_label) for ref in candidate.entity_refs]
    refs = tuple(dict.fromkeys([*first, *(one.key for one in found)]))
    label = candidate.entity_label
    if label is None and found and not first:
        label = found[0].label
    return candidate if refs == candidate.entity_refs else replace(candidate, entity_refs=refs, entity_label=label)


def _as_labelled(ref: str, label: str | None) -> str:
    """A reference made of the label by the keys' rules, written by those of entities."""
    kind, _, own = ref.partition(":")
    return f"{kind}:{entity_slug(label)}" if label and entity_slug(label) and slug(label) == own else ref


def _named(candidate: Candidate) -> Iterator[_Named]:
    parts = (candidate.key or "").split("|")
    kind = next((_BY_ATTRIBUTE[part] for part in parts[3:] if part in _BY_ATTRIBUTE), None)
    label = _as_written(candidate.text, candidate.value or "") if kind and not candidate.retracts else None
    if kind and label:
        yield _Named(kind, label)
    for named_kind, pattern in _NAMED_IN_TEXT:
        match = pattern.search(candidate.text)
        if match and not (label and kind == named_kind):
            more = match.groupdict().get("more")
            yield _Named(named_kind, f"{match['name']}, {more}" if more else match["name"].rstrip(".,'"))
    for match in _PEOPLE.finditer(candidate.text):
        yield from (_Named("person", name) for name in re.split(r",? and |, ", match["names"]))
    if (candidate.key or "").startswith(_PROJECT) and not re.search(r"\b(?:called|named) \w", candidate.text):
        project = _as_written(candidate.text, (candidate.key or "").removeprefix(_PROJECT))
        if project:
            yield _Named("project", project)


def _as_written(text: str, value: str) -> str | None:
    """The words of the text that the value is the slug of, where they can be a name."""
    words = text.split()
    count = value.count("_") + 1
    if not value or count > _MOST_WORDS or _UNNAMED & set(value.split("_")):
        return None
    for length in range(1, count + 2):
        for start in range(len(words) - length + 1):
            said = " ".join(words[start : start + length]).strip(" .,;:!?()\"'")
            if slug(said) == value:
                return said if count <= 2 or any(c.isupper() for c in said) else None
    return None
