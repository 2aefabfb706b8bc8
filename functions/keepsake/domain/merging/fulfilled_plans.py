"""Finds the plans that a statement fulfills: "Has a bakery" ends "Wants to open their own bakery one day".

Both are read as they are stored, in the third person: a verb, the thing that it names, and what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from keepsake.domain.english.grammar.word_forms import is_adverb, verb_form
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.memory import Candidate, Memory, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import is_of_self
from keepsake.domain.merging.precedence import check_precedence
from keepsake.domain.text import normalize_apostrophes, stem

_TABLE: dict[str, Any] = read_toml("data/fulfilled_plans.toml", __package__)
OUTCOMES: list[dict[str, Any]] = _TABLE["outcome"]
"""Verbs of what was wanted, and the verbs by which it is so in the present, or has happened; each with examples."""
_LISTS = {name: frozenset(words) for name, words in _TABLE["lists"].items()}
_BEGINNING = re.compile(rf"(?:{'|'.join(_TABLE['plans'])})\s+", re.IGNORECASE)
_VERBS = {verb for one in OUTCOMES for name in ("wanted", "present", "past") for verb in one.get(name, ())}
_TOKEN = re.compile(r"[^\W_]+(?:['&.-][^\W_]+)*|[,;:(]")
_CALENDAR = frozenset(map(str.lower, (*MONTHS, *WEEKDAYS)))
_ENDS, _TIMES = _LISTS["ends"] | _CALENDAR, _LISTS["times"] | _CALENDAR
_NO_PLAN_ENDS = frozenset({MemoryType.GOAL, MemoryType.EMOTION})
_NOT_SO = frozenset({"0", "dislike"})
_HAVE, _BE, _ABLE = "has", frozenset({"is", "are"}), "can"


@dataclass(frozen=True, slots=True)
class _Clause:
    """A statement or what a plan wants: its verb, the noun phrase after it, and what follows."""

    verb: str
    """The base form, with the words that belong to it ("move to")."""
    is_present: bool
    thing: tuple[str, ...]
    """The words of the noun phrase, as they are written."""
    head: str
    """The stem of its last word; empty where only something is done."""
    rest: tuple[str, ...]
    """What follows, in lower case."""


def find_fulfilled_plans(candidate: Candidate, active: Sequence[Memory], said_at: datetime) -> list[Memory]:
    """The plans of the person that the candidate says have come true."""
    if candidate.type in _NO_PLAN_ENDS or candidate.value in _NOT_SO or not _is_about_present_self(candidate):
        return []
    statement = _read_statement(candidate.text)
    if statement is None:
        return []
    return [
        memory
        for memory in active
        if _fulfills(statement, memory.text)
        and _is_about_present_self(memory)
        and may_change(memory, said_at)
        and check_precedence(candidate, memory, said_at) is None
        and happened_since(candidate.text, memory, said_at)
    ]


def fulfills(text: str, plan: str) -> bool:
    """Whether one stored text says that what the other one wants has come true."""
    statement = _read_statement(text)
    return statement is not None and _fulfills(statement, plan)


def named_thing(text: str) -> str:
    """The word for the thing that a statement may fulfill plans for; empty where it cannot."""
    statement = _read_statement(text)
    return "" if statement is None else statement.thing[-1] if statement.thing else statement.verb


def _is_about_present_self(stated: Candidate | Memory) -> bool:
    """Whether a statement is about the person, and not about what is over."""
    return is_of_self(stated) and "past" not in parse_key(stated.key).rest


def _fulfills(statement: _Clause, text: str) -> bool:
    plan = _read_plan(text)
    return plan is not None and _is_outcome(plan, statement) and _names_same_thing(plan, statement)


def _is_outcome(plan: _Clause, statement: _Clause) -> bool:
    """Whether the verb of the statement says that what the plan wants is so, or has happened."""
    if plan.verb == statement.verb:
        return statement.is_present or plan.verb not in _LISTS["states"]
    tense = "present" if statement.is_present else "past"
    return bool(plan.head) and any(
        plan.verb in one["wanted"]
        and statement.verb in one.get(tense, ())
        and plan.head not in map(stem, one.get("never", ()))
        for one in OUTCOMES
    )


def _names_same_thing(plan: _Clause, statement: _Clause) -> bool:
    if plan.head != statement.head:
        return False
    wanted, named = _modifiers(plan), _modifiers(statement)
    if wanted - named or named - wanted - _LISTS["counts"]:
        return False
    more = {stem(word) for word in plan.rest if not (word in _TIMES or word.isdigit())}
    return not more or not more.isdisjoint(map(stem, statement.rest))


def _modifiers(clause: _Clause) -> set[str]:
    """The words of the noun phrase before its head that make it another thing."""
    return {word.lower() for word in clause.thing[:-1] if word not in _LISTS["negligible"]}


@lru_cache(maxsize=1024)
def _read_plan(text: str) -> _Clause | None:
    """What a memory says that the person wants; None where it is no plan, or one that is never over."""
    beginning = _BEGINNING.match(text)
    tokens = _tokens(text[beginning.end() :]) if beginning is not None else ()
    return _read_wanted(tokens) if tokens and _LISTS["ongoing"].isdisjoint(map(str.lower, tokens)) else None


def _read_wanted(tokens: tuple[str, ...]) -> _Clause | None:
    """What a plan wants: the verb in the base form, or in "-ing"."""
    if [word.lower() for word in tokens[:2]] in (["learn", "to"], ["learning", "to"]) and len(tokens) > 2:
        return _read_wanted(tokens[2:])
    form = verb_form(tokens[0].lower())
    if form is None or not (form.is_base or form.is_gerund):
        return None
    return _clause(form.lemma, tokens[1:], is_present=True)


@lru_cache(maxsize=256)  # merging asks for each statement several times
def _read_statement(text: str) -> _Clause | None:
    """A statement in the third person without a subject; None where it is none, or doubtful."""
    tokens = _tokens(text)
    while len(tokens) > 1 and is_adverb(tokens[0].lower()):
        tokens = tokens[1:]
    if len(tokens) < 2 or _BEGINNING.match(text):
        return None
    first, form = tokens[0].lower(), verb_form(tokens[0].lower())
    following = verb_form(tokens[1].lower())
    if following is not None and first == _HAVE and (following.is_participle or following.is_past):
        clause = _clause(following.lemma, tokens[2:], is_present=False)
    elif following is not None and first == _ABLE and following.is_base:
        clause = _clause(following.lemma, tokens[2:], is_present=True)
    elif following is not None and first in _BE and following.is_gerund:
        return None
    elif form is not None and (form.is_third_person or form.is_past):
        clause = _clause(form.lemma, tokens[1:], is_present=form.is_third_person)
    else:
        return None
    return None if _is_doubtful(clause) else clause


def _is_doubtful(clause: _Clause) -> bool:
    said = {word.lower() for word in clause.thing} | {*clause.rest}
    return not _LISTS["doubtful"].isdisjoint(said)


def _clause(verb: str, after: tuple[str, ...], *, is_present: bool) -> _Clause:
    """The clause of a verb and what follows it, with the words that belong to the verb ("move to")."""
    for length in (2, 1):
        phrase = " ".join((verb, *map(str.lower, after[:length])))
        if len(after) >= length and " " in phrase and phrase in _VERBS:
            verb, after = phrase, after[length:]
            break
    while after and after[0].lower() in _LISTS["determiners"]:
        after = after[1:]
    end = next((index for index, word in enumerate(after) if _ends_thing(word)), len(after))
    head = stem(after[end - 1].lower()) if end else ""
    return _Clause(verb, is_present, after[:end], head, tuple(word.lower() for word in after[end:]))


def _ends_thing(word: str) -> bool:
    lower = word.lower()
    return lower in _ENDS or not word[0].isalnum() or word.isdigit()


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(normalize_apostrophes(text)))
