"""Reads which parts of the author's life the sentences of a message say have changed, whatever their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile

from keepsake.domain.english.kinship import PARTNERS, kinship_of
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.change_statement import ChangeStatement
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, changed_parts
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.previous_messages import PreviousMessage
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
_OPENERS, _PRONOUNS = (
    frozenset(load_sections("life_changes", __package__)[section]) for section in ("openers", "pronouns")
)
_BEING = ("i'm ", "im ", "i am ", "we're ", "were ", "we are ")
"""What one is now, only the rest of the sentence says for how long: "we're in Denver now, the hotel is nice"."""
_MAX_LENGTH, _MAX_WORDS = 300, 30
_MAX_SENTENCES = 4
_MAX_SUBJECT = 3
_MIN_FIRST = 3
"""Words with which a sentence may have said what has changed, before a reason that would hide it."""
_FEW_WORDS = 2
"""So few words do not tell in which language they are."""


def read_life_changes(
    text: str, last: Sequence[Memory], recent: Sequence[Memory], previous: Sequence[PreviousMessage]
) -> list[ChangeStatement]:
    """The sentences that may tell a change, each with the probabilities of the parts of life that it may change.

    ``last`` are the memories of the message before; where one of the ``previous`` messages told the same change, the
    ``recent`` memories may be its outcome.
    """
    changed = {one: parts for one in read_life_sentences(text) if (parts := changed_parts(one, minimum=MIN_COMPARED))}
    if not changed:
        return []
    before = set(_parts_changed_before(previous)) if recent else set[str]()
    return [
        ChangeStatement(
            Clause(words=sentence, quote=sentence),
            last=tuple(memory.id for memory in last),
            parts=parts,
            possible_outcomes=frozenset(memory.id for memory in recent if _likeliest(parts) in before),
        )
        for sentence, parts in changed.items()
    ]


def _parts_changed_before(previous: Sequence[PreviousMessage]) -> Iterator[str]:
    for earlier in previous:
        if earlier.role == "user":
            yield from _parts_changed(earlier.text)


@lru_cache(maxsize=256)  # asked again by each of the messages after it
def _parts_changed(text: str) -> frozenset[str]:
    """The parts of life that a message says have changed."""
    return frozenset(_likeliest(parts) for parts in map(changed_parts, read_life_sentences(text)) if parts)


def _likeliest(parts: Mapping[str, float]) -> str:
    return max(parts, key=lambda part: parts[part])


def read_life_sentences(text: str) -> tuple[str, ...]:
    """The sentences that may tell a change, what they begin with, and two short ones as one; no questions or wishes."""
    if len(text.split()) > _FEW_WORDS and is_unreadable(text):
        return ()
    return tuple(one for one in _candidates(mask_quoted_text(text[:MAX_READ_LENGTH])) if _may_state_change(one))[
        :_MAX_SENTENCES
    ]


def begins_with_another(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun for what it does not name, or with a relative who is no partner."""
    said = [*dropwhile(_OPENERS.__contains__, words(sentence))][:_MAX_SUBJECT]
    if said and said[0].partition("'")[0] in _PRONOUNS and said[1:2] != ["days"]:
        return True
    relations = [relation for word in said[1:] if (relation := kinship_of(word))]
    return said[:1] in (["my"], ["our"]) and bool(relations) and PARTNERS.isdisjoint(relations)


def _candidates(text: str) -> Iterator[str]:
    sentences = split_at_sentences(text)
    for sentence in sentences[: 2 * _MAX_SENTENCES]:
        yield sentence
        first, comma, _ = sentence.partition(", ")
        is_being = normalize_apostrophes(first).casefold().startswith(_BEING)
        if comma and len(first.split()) >= _MIN_FIRST and not is_being:
            yield first
    if len(sentences) == 2 and len(text.split()) <= _MAX_WORDS:
        yield text.strip()


def _may_state_change(sentence: str) -> bool:
    said = normalize_apostrophes(sentence)
    is_readable = len(said) <= _MAX_LENGTH and MASK not in said and any(character.isalpha() for character in said)
    if not is_readable or _is_question(said) or _PASSING.match(said):
        return False
    return _NO_CHANGE.search(said) is None or any(one in said.casefold() for one in _INSTEAD)


def _is_question(sentence: str) -> bool:
    _, mark, after = sentence.rpartition("?")
    return bool(mark) and not any(map(str.isalnum, after))
