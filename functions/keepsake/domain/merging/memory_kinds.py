"""The kinds of a memory as what tells changes names them: a plan, a habit, a possession, a job."""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import noun_phrase
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.word_groups import JOBS, ROLES
from keepsake.domain.memory import Candidate, Memory, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.partners import is_about_partner

_PLAN = re.compile(r"^(?:Is|Are) (?:going|moving|planning|traveling|flying|getting|visiting|starting)\b", re.IGNORECASE)
_WORDS = load_alternations("memory_kinds", __package__)
_STUDY = re.compile(rf"^{_WORDS['study']}\b", re.IGNORECASE)
_WORK = re.compile(rf"^{_WORDS['work']}")
_DIET = re.compile(rf"\b{_WORDS['diet']}\b", re.IGNORECASE)
_HOME = re.compile(rf"^{_WORDS['home']}", re.IGNORECASE)
_EMPLOYMENT = re.compile(r"^(?:Works (?:at|for|in)|Is (?!(?!working\b)\w+ing\b).{2,50} (?:at|for|with)) .*[A-Z]")
_HABIT = re.compile(r"^(?:Always |Usually |Often )?(?:Drinks|Eats|Smokes|Plays|Runs|Takes|Uses|Watches|Goes)\b")
OWNS = re.compile(r"^(?:Has|Owns|Drives|Rides|Uses|Bought|Just bought)\b")
"""The beginning of a memory that says what the person has."""


def attribute_of_self(memory: Memory | Candidate) -> str:
    """The attribute of a memory about the person ("home"); empty where it is about somebody else."""
    return parse_key(memory.key).attribute


def kinds_of(memory: Memory | Candidate) -> set[str]:
    """The kinds of a memory as what tells changes names them."""
    attribute, text = attribute_of_self(memory), memory.text
    relative = not attribute and memory.type is MemoryType.RELATIONSHIP
    tests = {
        "home": attribute in ("home", "living") or (is_of_self(memory) and _HOME.match(text) is not None),
        "relative": relative or attribute == "partner",
        "partner": is_about_partner(memory),
        "pet": attribute in ("pet", "pet_fact"),
        "possession": (memory.subtype is Subtype.POSSESSION and attribute not in ("pet", "pet_fact"))
        or (attribute in ("has", "drives", "owns", "uses") or OWNS.match(text) is not None),
        "habit": is_habit(memory),
        "taste": attribute in ("likes", "prefers", "drinks", "eats", "smokes") or attribute.startswith("favorite_"),
        "goal": memory.type is MemoryType.GOAL,
        "plan": memory.subtype is Subtype.EVENT or attribute in ("when", "event", "plan") or bool(_PLAN.match(text)),
        "study": bool(_STUDY.match(text)),
        "diet": attribute in ("diet", "avoids") or (is_of_self(memory) and _DIET.search(text) is not None),
        "occupation": (is_of_self(memory) and _WORK.match(text) is not None)
        or attribute in ("occupation", "work")
        or (attribute == "is" and _names_occupation(text)),
        "employment": attribute == "employer" or _EMPLOYMENT.match(text) is not None,
    }
    return {kind for kind, holds in tests.items() if holds}


def is_habit(memory: Memory | Candidate) -> bool:
    """Whether a memory tells what somebody does again and again."""
    is_by_key = memory.type is MemoryType.PATTERN or attribute_of_self(memory) == "habit"
    return is_by_key or _HABIT.match(memory.text) is not None


def is_of_self(memory: Memory | Candidate) -> bool:
    """Whether a memory is about the person, by its key; without one its text begins with a verb."""
    return memory.key is None or attribute_of_self(memory) != ""


def _names_occupation(text: str) -> bool:
    """Whether a memory says what somebody is by work or office ("Is a ward sister at …")."""
    phrase = noun_phrase(bare_words(text)[1:] or ("",))
    return phrase[-1] in JOBS or phrase[-1] in ROLES or " ".join(phrase[-2:]) in JOBS
