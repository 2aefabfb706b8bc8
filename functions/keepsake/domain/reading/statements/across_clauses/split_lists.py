"""Splits statements that list several things ("I love pizza and burgers") into one statement for each."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations, load_words
from keepsake.domain.english.nouns import singular
from keepsake.domain.english.word_groups import NUMBERS, PETS
from keepsake.domain.reading.clauses.split_clauses import Clause

_WORDS = load_alternations("split_lists")

_TASTES = re.compile(
    rf"(?P<head>(?:I|we) (?:[a-z]+ly |also |always |never ){{0,4}}{_WORDS['taste_verbs']} |"
    rf"my (?:(?:main|other|only) )?(?:hobbies|interests|pastimes) (?:are|include) )"
    rf"(?P<list>[^;:()]{{3,120}})",
    re.I,
)
_HOUSEHOLD = re.compile(r"(?P<head>(?:I|we) (?:have|own|adopted|rescued|got|just got) )(?P<list>[^;:()]{3,160})", re.I)
_RESTRICTIONS = re.compile(
    r"(?P<head>)(?P<list>no [\w-]{2,20}(?:,? (?:and |or )?no [\w-]{2,20}){1,2})(?: .{1,30})?", re.I
)
_COUNTED = re.compile(
    rf"{NUMBERS} (?:[\w'-]+ ){{0,3}}?(?:{PETS}|{RELATIONS})(?: (?:named|called) [\w'-]+(?: [A-Z][\w'-]*)?)?", re.I
)
_STATES = re.compile(r"(?P<head>(?:I|we) (?:am|are) (?:also |both |now )?)(?P<list>[^;:()]{3,120})", re.I)
_STATE = re.compile(_WORDS["states"], re.I)
_NAMED_RELATIVES = re.compile(
    r"(?:my|our) (?P<plural>kids|children|sons|daughters|brothers|sisters|siblings|cousins)(?:'s?)?(?: names)? are "
    r"(?:called |named )?(?P<list>[^;:()]{3,100})",
    re.I,
)
_NAME = re.compile(r"[^\W\d][\w'-]+")
_CONJUNCTION = re.compile(r", and |, | and | & ")
_NOUN = re.compile(rf"(?!{_WORDS['not_a_bare_noun']}\b)[\w'-]+(?: [\w'-]+)?")

_MAX_ITEMS = 3


def split_list(clause: Clause) -> list[Clause]:
    """One clause for each item; the clause itself where it lists none, or where the items belong together."""
    if (relatives := _NAMED_RELATIVES.fullmatch(clause.words)) is not None:
        return _split_names(clause, relatives)
    for pattern, is_list in _LISTS:
        match = pattern.fullmatch(clause.words)
        if match is None:
            continue
        items = _CONJUNCTION.split(match["list"])
        if 1 < len(items) <= _MAX_ITEMS and is_list(items):
            return [
                replace(clause, words=match["head"] + item, quote=_quote_up_to(item, clause.quote)) for item in items
            ]
    return [clause]


def _split_names(clause: Clause, match: re.Match[str]) -> list[Clause]:
    """One clause for each of the relatives that are named together ("my kids are Tim and Zoe")."""
    names = _CONJUNCTION.split(match["list"])
    if len(names) > _MAX_ITEMS or not all(_NAME.fullmatch(name) and name[:1].isupper() for name in names):
        return [clause]
    relation = singular(match["plural"].lower())
    return [
        replace(clause, words=f"I have a {relation} named {name}", quote=_quote_up_to(name, clause.quote))
        for name in names
    ]


def _quote_up_to(item: str, quote: str) -> str:
    """The quote up to the end of the item."""
    index = quote.find(item)
    return quote if index < 0 else quote[: index + len(item)]


def _are_counted(items: list[str]) -> bool:
    return all(_COUNTED.fullmatch(item) for item in items)


def _are_separate_nouns(items: list[str]) -> bool:
    """Whether the items are separate nouns: no names, no fixed pair, no adjective that belongs to both."""
    if not all(_NOUN.fullmatch(item) for item in items) or all(item[:1].isupper() for item in items):
        return False
    pair = [item.lower().split() for item in items[-2:]]
    if f"{pair[0][-1]}_{pair[1][0]}" in load_words("fixed_pairs") or "peanut butter" in items[-2].lower():
        return False
    lengths = {len(item.split()) for item in items}
    return len(lengths) == 1 or (len(pair[1]) > 1 and len(pair[0]) == 1 and pair[0][0].endswith("s"))


def _are_states(items: list[str]) -> bool:
    return all(_STATE.fullmatch(item) for item in items)


def _are_restrictions(items: list[str]) -> bool:
    return all(item.lower().startswith("no ") for item in items)


_LISTS = (
    (_TASTES, _are_separate_nouns),
    (_HOUSEHOLD, _are_counted),
    (_STATES, _are_states),
    (_RESTRICTIONS, _are_restrictions),
)
