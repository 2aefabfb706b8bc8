"""Blanks what a message says of a thing that was left somewhere, or of a place that is left for a time: nothing ended.

Of "I left my jacket at Tesco" neither Tesco nor the jacket may be read as over, of "I lost my keys at Tesco" not Tesco.
"""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("things_left", __package__)
_LEAVES = r"\b(?:left|leaving|leave|forgot|forgotten)(?: behind)?"
_OWNED = (
    rf"(?:my|our|an?|his|her|their|[\w-]{{1,20}}'s)(?: (?!{_WORDS['place']}\b)[\w'-]{{1,20}}){{0,2}}?"
    rf" (?!{_WORDS['lasting']}\b)[\w'-]{{2,20}}"
)
_THING = rf"(?:{_OWNED}|the (?:[\w'-]{{1,20}} )?{_WORDS['portable']})"
_PLACE = rf"(?: behind| there)? {_WORDS['place']} (?!{_WORDS['moment']}\b)[^.!?\n,;]{{1,60}}"
_LEFT = re.compile(rf"{_LEAVES} {_THING}{_PLACE}", re.IGNORECASE)
_LOST = re.compile(rf"(?P<thing>\b(?:lost|dropped|misplaced|mislaid) {_THING})(?P<place>{_PLACE})", re.IGNORECASE)
_FOR_A_TIME = re.compile(rf"\b(?:left|leaving|leave)\b[^.!?\n,;]{{1,60}}? {_WORDS['for_a_time']}\b", re.IGNORECASE)

_FOR_GOOD = re.compile(r"\bfor good\b|\bforever\b", re.IGNORECASE)
_PERSON = r"(?:(?-i:[A-Z])[\w-]{1,20}|him|her|them|(?:my|our) [\w-]{2,20}(?: (?-i:[A-Z])[\w-]{1,20})?)"
_RECIPIENT = re.compile(
    rf"(?P<gives>\b{_WORDS['gives']} ){_PERSON}(?= (?:his|her|their|the|an?|my|our|some|back)\b)", re.IGNORECASE
)


def without_things_left(text: str) -> str:
    """The text, of the same length, with a space for every character of what is only left lying, or for a time."""
    for passing in (_LEFT, _FOR_A_TIME):
        text = passing.sub(lambda match: match[0] if _FOR_GOOD.search(match[0]) else " " * len(match[0]), text)
    return _LOST.sub(lambda match: match["thing"] + " " * len(match["place"]), text)


def without_recipients(text: str) -> str:
    """The text, of the same length, without those who get a thing: "give Noor the violin back" ends no Noor."""
    return _RECIPIENT.sub(lambda match: match["gives"] + " " * (len(match[0]) - len(match["gives"])), text)
