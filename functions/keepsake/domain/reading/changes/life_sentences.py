"""Finds the sentences of a message that may tell a change of the author's own life, whatever their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.kinship import PARTNERS, kinship_of
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.reading.changes.for_a_time import is_for_a_time
from keepsake.domain.reading.changes.things_left import without_things_left
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, split_at_sentences, words

_WORDS = load_alternations("life_changes", __package__)
_NO_CHANGE = re.compile(
    rf"\b(?:{_WORDS['supposed']}|{_WORDS['added']}|{_WORDS['goes_on']}|{_WORDS['for_a_time']}|{_WORDS['addressed']})\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than)\b", re.IGNORECASE)
_QUESTION = re.compile(r"\?\W{0,5}$")
_BY_PRONOUN = re.compile(rf"^\W{{0,5}}(?:{_WORDS['openers']}\W{{1,5}}){{0,3}}{_WORDS['pronouns']}\b", re.IGNORECASE)
_BEING = re.compile(r"(?:I|we)(?:['’ ]?(?:m|re)| am| are)\b", re.IGNORECASE)
"""What one is now, only the rest of the sentence says for how long: "we're in Denver now, the hotel is nice"."""
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
        if comma and len(first.split()) >= _MIN_FIRST and not _BEING.match(first):
            yield first
    if len(sentences) == 2 and len(text.split()) <= _MAX_WORDS:
        yield text.strip()


def _may_state_change(sentence: str) -> bool:
    said = normalize_apostrophes(sentence)
    return (
        len(said) <= _MAX_LENGTH
        and MASK not in said
        and any(character.isalpha() for character in said)
        and not (_QUESTION.search(said) or is_for_a_time(said))
        and not (_NO_CHANGE.search(said) and not _INSTEAD.search(said))
        and without_things_left(said) == said
    )
