"""Splits statements that list several things ("I have a son and a daughter") into one statement for each."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.english.inflection import singular
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations, load_words
from keepsake.domain.english.word_groups import NUMBERS, PETS
from keepsake.domain.reading.clauses.split_clauses import Clause

_WORDS = load_alternations("split_lists")
_HOBBIES = "(?:main |other |only )?(?:hobbies|interests|pastimes)"
_HEADS = (
    r"(?:my|our) (?P<many>kids|children|sons|daughters|brothers|sisters|siblings|cousins) are (?:called|named)",
    rf"(?P<nouns>I am (?:[a-z]+ly )?allergic to|my {_HOBBIES} (?:are|include))",
    r"(?:I|we) (?:(?:am|are)(?: also| both| now)?|have|own|adopted|rescued|(?:just )?got)",
)
_LIST = re.compile(rf"(?P<head>(?:{'|'.join(_HEADS)}) )(?P<items>[^;:()]{{3,160}})", re.I)
_ITEM = re.compile(
    rf"{_WORDS['states']}|"
    rf"{NUMBERS} (?:[\w'-]+ ){{0,3}}?(?:{PETS}|{RELATIONS})(?: (?:named|called) [\w'-]+(?: [A-Z][\w'-]*)?)?",
    re.I,
)
"""What somebody is for long, and whom they have, with a number."""
_NOUN = re.compile(rf"(?!{_WORDS['not_a_bare_noun']}\b)[\w'-]+(?: [\w'-]+)?")
_CONJUNCTION = re.compile(r", and |, | and | & ")
_MAX_ITEMS = 3


def split_list(clause: Clause) -> list[Clause]:
    """One clause for each item; none where it lists nothing, or where the items belong together."""
    listed = _LIST.fullmatch(clause.words)
    items = _CONJUNCTION.split(listed["items"]) if listed else []
    if listed is None or not 1 < len(items) <= _MAX_ITEMS:
        return []
    head = listed["head"]
    if listed["many"]:
        head = f"I have a {singular(listed['many'].lower())} named "
        is_list = all(item[:1].isupper() and " " not in item for item in items)
    else:
        is_list = all(map(_ITEM.fullmatch, items)) or (listed["nouns"] is not None and _are_separate_nouns(items))
    if not is_list:
        return []
    return [replace(clause, words=head + item, quote=_quote_up_to(item, clause.quote)) for item in items]


def _quote_up_to(item: str, quote: str) -> str:
    """The quote up to the end of the item."""
    index = quote.find(item)
    return quote if index < 0 else quote[: index + len(item)]


def _are_separate_nouns(items: list[str]) -> bool:
    """Whether the items are separate nouns: no names, no fixed pair, no adjective that belongs to both."""
    if not all(_NOUN.fullmatch(item) for item in items) or all(item[:1].isupper() for item in items):
        return False
    one, other = (item.lower().split() for item in items[-2:])
    if f"{one[-1]}_{other[0]}" in load_words("fixed_pairs"):
        return False
    return len({len(item.split()) for item in items}) == 1 or (len(other) > len(one) == 1 and one[0].endswith("s"))
