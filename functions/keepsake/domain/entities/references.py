"""Finds the entities that a statement names, in its key, its value and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.entities.entity import SELF, entity_slug
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.memory import Candidate
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import slug, word_set

_KIND_BY_ATTRIBUTE = {"employer": "org", "home": "place", "hometown": "place", "birthplace": "place"}
_WORD = r"[^\W\d_a-z][\w'&.-]*"
_NAME = rf"{_WORD}(?:(?: (?:of|the|de|da|van|von|der|and))? {_WORD}){{0,3}}"
_NAME_PATTERNS = tuple(
    (kind, re.compile(pattern.replace("NAME", f"(?P<name>{_NAME})").replace("MORE", f"(?P<more>{_WORD})")))
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
_LISTED_PEOPLE = re.compile(
    rf"\b(?:{RELATIONS}|{FRIENDS}|{OTHERS})s?,? (?:(?:named|called) )?"
    rf"(?P<names>{_WORD}(?:, {_WORD}){{0,12}},? and {_WORD})"
)
_NOT_NAMES = word_set("""
    a an the my our their his her own with alone in at near here there home small big new old same another some
    this that it from abroad overseas self employed freelance myself nowhere somewhere
""")
_MAX_NAME_WORDS = 5
_PROJECT_PREFIX = "goal|project|self|goal|project_"


@dataclass(frozen=True, slots=True)
class _NamedEntity:
    kind: str
    label: str

    @property
    def key(self) -> str:
        return f"{self.kind}:{entity_slug(self.label)}"


def with_entities(candidate: Candidate) -> Candidate:
    """The candidate with references to all entities that it names; the one that it is about comes first."""
    found = [entity for entity in _named_entities(candidate) if entity_slug(entity.label)]
    first = [_ref_of_label(ref, candidate.entity_label) for ref in candidate.entity_refs]
    refs = tuple(dict.fromkeys([*first, *(entity.key for entity in found)]))
    label = candidate.entity_label or _first_label(first, found, candidate.text)
    if refs == candidate.entity_refs and label == candidate.entity_label:
        return candidate
    return replace(candidate, entity_refs=refs, entity_label=label)


def _first_label(refs: Sequence[str], found: Sequence[_NamedEntity], text: str) -> str | None:
    """The name of whom or what a statement is about; None for the person, and for a relation without a name."""
    if not refs:
        return found[0].label if found else None
    own = refs[0].partition(":")[2]
    return None if refs[0] == SELF or is_relation(own) else _find_in_text(text, own)


def _ref_of_label(ref: str, label: str | None) -> str:
    """The reference with the entity slug of the label, where it was made from that label."""
    kind, _, own = ref.partition(":")
    return f"{kind}:{entity_slug(label)}" if label and entity_slug(label) and slug(label) == own else ref


def _named_entities(candidate: Candidate) -> Iterator[_NamedEntity]:
    rest = parse_key(candidate.key).rest
    kind = next((_KIND_BY_ATTRIBUTE[part] for part in rest if part in _KIND_BY_ATTRIBUTE), None)
    label = _find_in_text(candidate.text, candidate.value or "") if kind and not candidate.retracts else None
    if kind and label:
        yield _NamedEntity(kind, label)
    for named_kind, pattern in _NAME_PATTERNS:
        match = pattern.search(candidate.text)
        if match and not (label and kind == named_kind):
            more = match.groupdict().get("more")
            yield _NamedEntity(named_kind, f"{match['name']}, {more}" if more else match["name"].rstrip(".,'"))
    for match in _LISTED_PEOPLE.finditer(candidate.text):
        yield from (_NamedEntity("person", name) for name in re.split(r",? and |, ", match["names"]))
    if (candidate.key or "").startswith(_PROJECT_PREFIX) and not re.search(r"\b(?:called|named) \w", candidate.text):
        project = _find_in_text(candidate.text, (candidate.key or "").removeprefix(_PROJECT_PREFIX))
        if project:
            yield _NamedEntity("project", project)


def _find_in_text(text: str, value: str) -> str | None:
    """The words of the text whose slug is the value, where they can be a name."""
    words = text.split()
    count = value.count("_") + 1
    if not value or count > _MAX_NAME_WORDS or _NOT_NAMES & set(value.split("_")):
        return None
    for length in range(1, count + 2):
        for start in range(len(words) - length + 1):
            written = " ".join(words[start : start + length]).strip(" .,;:!?()\"'")
            if slug(written) == value:
                return written if count <= 2 or any(c.isupper() for c in written) else None
    return None
