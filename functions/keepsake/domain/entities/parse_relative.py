"""Parses how a relative is described: the relation ("daughter") and perhaps a name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS, SINGLE_RELATIONS, canonical_relation
from keepsake.domain.text import MARKS, slug

_RELATION = (
    rf"(?:(?:older|younger|little|big|twin|eldest|oldest|youngest|ex|step|half) )*(?:{RELATIONS}|{FRIENDS}|{OTHERS})"
)
_RELATION_ALONE = re.compile(_RELATION, re.IGNORECASE)
_WHOSE = r"(?:(?:my|their|his|her|the|a) )?"
_NAME = rf"(?P<name>[^\W\d][\w{MARKS}'-]*(?: [^\W\d][\w{MARKS}'-]*)?)"
_RELATION_AND_NAME = re.compile(
    rf"{_WHOSE}(?P<rel>{_RELATION})[\s,(]+(?:(?:named|called|whose name is) )?{_NAME}\)?"
    rf"|{_WHOSE}{_NAME.replace('<name>', '<name2>')}[\s,(]+{_WHOSE}(?P<rel2>{_RELATION})\)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Relative:
    """A relation ("daughter"), or another description, and the name if there is one."""

    relation: str
    name: str = ""

    def key(self, attribute: str) -> str:
        """The end of a memory key: relation, name and attribute; who has one mother needs no name in her ``name``."""
        has_name = self.name and not (attribute == "name" and self.relation in SINGLE_RELATIONS)
        return f"{self.relation}|{self.name}|{attribute}" if has_name else f"{self.relation}|{attribute}"


def parse_relative(description: str) -> Relative:
    """The relative that is described: "daughter Emma", "Emma (daughter)", "mum"."""
    match = (
        None if _RELATION_ALONE.fullmatch(description.strip()) else _RELATION_AND_NAME.fullmatch(description.strip())
    )
    if match is None:
        return Relative(_relation_slug(description))
    return Relative(_relation_slug(match["rel"] or match["rel2"]), slug(match["name"] or match["name2"]))


def is_relation(word: str) -> bool:
    """Whether a part of a key is a relation, and not a name."""
    return word in SINGLE_RELATIONS or _RELATION_ALONE.fullmatch(word.replace("_", " ")) is not None


def _relation_slug(relation: str) -> str:
    return canonical_relation(relation) if _RELATION_ALONE.fullmatch(relation.strip()) else slug(relation)
