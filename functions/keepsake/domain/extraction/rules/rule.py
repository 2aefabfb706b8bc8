"""What a rule makes of a clause: a draft, and how rules are written down as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from keepsake.domain.english.kinship import common_noun
from keepsake.domain.english.nouns import singular
from keepsake.domain.english.third_person import capitalise, turned
from keepsake.domain.english.verbs import gerund_base
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.text import slug

Values = Mapping[str, str]
Check = Callable[[Values, Clause], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something: its pattern, and what is made of its named parts.

    ``key`` and ``value`` are templates filled with slugs, ``text`` with the words (empty: the clause in the third
    person). ``check`` may refuse a match that only looks right.
    """

    pattern: re.Pattern[str]
    key: str
    subtype: Subtype
    value: str = "yes"
    text: str = ""
    type: MemoryType = MemoryType.FACT
    confidence: float = 0.7
    importance: int = 1
    check: Check | None = None
    retracts: bool = False
    corrects: bool = False
    also: bool = False
    """A single-valued slot here takes a second value when the clause says "also"."""
    only_if_subject_known: bool = False
    """Nothing unless it is known already who is meant ("Kiwi died")."""
    silent: bool = False
    """What it takes back leaves nothing worth keeping ("my name is not Jon")."""
    entity_type: str = "person"
    subject: str = "self"
    label: str = ""
    plain: Mapping[str, str] = field(default_factory=dict)


def rule(pattern: str, key: str, subtype: Subtype, **more: object) -> Rule:
    """A rule from its pattern, which is anchored at both ends of the clause and ignores case."""
    return Rule(re.compile(rf"^(?:{pattern})$", re.IGNORECASE), key, subtype, **more)  # type: ignore[arg-type]


_DETERMINER = re.compile(
    r"^(?:(?:a|an|the|my|some|any|all|most|lots of|a lot of|plenty of|eating|to eat|drinking|to drink|to go|going|"
    r"to do|doing|"
    r"to play|playing|to watch|watching|to listen to|listening to|to be|being|to have|having|to use|using|any kind "
    r"of|any "
    r"form of|the taste of|the smell of|to read|reading|to|kinds? of|types? of|overly|really|very) )+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[,;]? (?:because|since|when|whenever|while|which|who|due to|so (?:that|much|i)|unless|although|though|if|but|"
    r"even|as (?:it|they|"
    r"i|well|a|an|he|she|often|much)|for (?:its|their|the|my)|a lot(?! of)|very much|too|these days|right now|"
    r"anymore|with my|"
    r"the most|every|on (?:the )?weekends?|in (?:general|particular|my)|especially|like|such as|at all|to death|all "
    r"the time|(?-i:now|again|nowadays))\b(?s:.*)",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(r"\b(?:way )?(?:too|so) (?:much|many) ", re.IGNORECASE)
_MAX_SLUG_WORDS = 8


def thing(phrase: str) -> str:
    """What a phrase is about, as a slug: determiners, reasons and plural endings gone."""
    core = _TAIL.sub("", _HOW_MUCH.sub("", phrase.strip(" ,.!")))
    core = _DETERMINER.sub("", core) or core
    parts = slug(core).split("_")[:_MAX_SLUG_WORDS]
    return "_".join(_base(part, first=index == 0, last=index == len(parts) - 1) for index, part in enumerate(parts))


def _base(word: str, *, first: bool, last: bool) -> str:
    if first and word.endswith("ing"):
        return gerund_base(word)
    return common_noun(singular(word)) if last else word


def worded(phrase: str) -> str:
    """A matched phrase as it may stand in a memory's text."""
    return turned(phrase.strip(" ,.!"))


def titled(name: str) -> str:
    """A name as names are written: capitals kept where given, else put."""
    if any(c.isupper() for c in name):
        return name
    return " ".join(part if part == "and" else capitalise(part) for part in name.split())
