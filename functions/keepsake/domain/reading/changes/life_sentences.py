"""Finds the sentences of a message that may tell a change of the author's own life, whatever their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.kinship import PARTNERS, kinship_of
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, split_at_sentences, words

_WORDS = load_alternations("life_changes", __package__)
_NO_CHANGE = re.compile(
    rf"\b(?:{_WORDS['supposed']}|{_WORDS['added']}|{_WORDS['goes_on']}|{_WORDS['for_a_time']}|{_WORDS['addressed']})\b",
    re.IGNORECASE,
)
_INSTEAD = ("instead of", "rather than")
_PASSING = re.compile(
    rf"(?=.*\b{_WORDS['passing']}\b).*\b{_WORDS['moments']}\b|.*\b{_WORDS['found_again']}\b", re.IGNORECASE | re.DOTALL
)
"""What ends only for a time, or goes on: "the gym is closed today", "I cannot wait"."""
_QUESTION = re.compile(r"\?\W{0,5}$")
_BY_PRONOUN = re.compile(rf"^\W{{0,5}}(?:{_WORDS['openers']}\W{{1,5}}){{0,3}}{_WORDS['pronouns']}\b", re.IGNORECASE)
_BEING = ("i'm ", "im ", "i am ", "we're ", "were ", "we are ")
"""What one is now, only the rest of the sentence says for how long: "we're in Denver now, the hotel is nice"."""
_LEFT_WORDS = load_alternations("things_left", __package__)
_OWNED = (
    rf"(?:my|our|an?|his|her|their|[\w-]{{1,20}}'s)(?: (?!{_LEFT_WORDS['place']}\b)[\w'-]{{1,20}}){{0,2}}?"
    rf" (?!{_LEFT_WORDS['lasting']}\b)[\w'-]{{2,20}}"
)
_THING = rf"(?:{_OWNED}|the (?:[\w'-]{{1,20}} )?{_LEFT_WORDS['portable']})"
_PLACE = rf"(?: behind| there)? {_LEFT_WORDS['place']} (?!{_LEFT_WORDS['moment']}\b)[^.!?\n,;]{{1,60}}"
_LEFT = re.compile(
    rf"\b(?:{_LEFT_WORDS['leaves']} {_THING}{_PLACE}"
    rf"|(?:left|leaving|leave)\b[^.!?\n,;]{{1,60}}? {_LEFT_WORDS['for_a_time']}\b)",
    re.IGNORECASE,
)
"""What is left lying, or for a time: of "I left my jacket at Tesco" neither Tesco nor the jacket is over."""
_FOR_GOOD = ("for good", "forever")
_MAX_LENGTH, _MAX_WORDS = 300, 30
_MAX_SENTENCES = 4
_MAX_SUBJECT = 3
_MIN_FIRST = 3
"""Words with which a sentence may have said what has changed, before a reason that would hide it."""
_FEW_WORDS = 2
"""So few words do not tell in which language they are."""


def read_life_sentences(text: str) -> tuple[str, ...]:
    """The sentences that may tell a change, what they begin with, and two short ones as one; no questions or wishes."""
    if len(text.split()) > _FEW_WORDS and is_unreadable(text):
        return ()
    return tuple(one for one in _candidates(mask_quoted_text(text[:MAX_READ_LENGTH])) if _may_state_change(one))[
        :_MAX_SENTENCES
    ]


def begins_with_another(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun for what it does not name, or with a relative who is no partner."""
    if _BY_PRONOUN.match(sentence):
        return True
    said = words(sentence)[:_MAX_SUBJECT]
    relations = [relation for word in said[1:] if (relation := kinship_of(word))]
    return said[:1] in (["my"], ["our"]) and bool(relations) and PARTNERS.isdisjoint(relations)


def _candidates(text: str) -> Iterator[str]:
    sentences = split_at_sentences(text)
    for sentence in sentences[: 2 * _MAX_SENTENCES]:
        yield sentence
        first, comma, _ = sentence.partition(", ")
        if (
            comma
            and len(first.split()) >= _MIN_FIRST
            and not normalize_apostrophes(first).casefold().startswith(_BEING)
        ):
            yield first
    if len(sentences) == 2 and len(text.split()) <= _MAX_WORDS:
        yield text.strip()


def _may_state_change(sentence: str) -> bool:
    said = normalize_apostrophes(sentence)
    is_readable = len(said) <= _MAX_LENGTH and MASK not in said and any(character.isalpha() for character in said)
    if not is_readable or _QUESTION.search(said) or _PASSING.match(said) or _leaves_things(said):
        return False
    return _NO_CHANGE.search(said) is None or any(one in said.casefold() for one in _INSTEAD)


def _leaves_things(sentence: str) -> bool:
    """Whether a sentence tells that a thing was left or lost somewhere, or a place left for a time, not for good."""
    match = _LEFT.search(sentence)
    return match is not None and not any(one in match[0].casefold() for one in _FOR_GOOD)
