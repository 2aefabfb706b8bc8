"""Tells when a word that a memory has too only belongs to the name of another thing: "table tennis" is no tennis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.grammar.noun_phrases import noun_phrase
from keepsake.domain.english.grammar.word_forms import is_in, is_noun, verb_form
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.nouns import is_plural
from keepsake.domain.english.similarity import content_words
from keepsake.domain.text import normalize_apostrophes

_PART = re.compile(r"[^,;:.!?()\n]+")
_WORD = re.compile(r"[\w'-]+")
_DESIGNATION = re.compile(r"(?!I\b)(?:[A-Z]|[A-Za-z]{0,3}\d[\w-]*)")
"""What tells things of one name apart: "B12", "D", "2"."""


def without_other_things(text: str, known: set[str]) -> str:
    """The text without the words that name something else than what these stems name, which are of one memory."""
    parts = (tuple(_WORD.findall(part)) for part in _PART.findall(normalize_apostrophes(text)))
    return " ".join(word for part in parts for word in _words_that_name(part, known))


def _words_that_name(said: tuple[str, ...], known: set[str]) -> Iterator[str]:
    """The words of a part of a sentence that may name the memory; a name always does."""
    others = {at for at in range(len(said)) if said[at].islower() and _is_of_another_kind(said, at, known)}
    for at, word in enumerate(said):
        if at not in others and not (word.islower() and _is_done_with_another(said, at, known, others)):
            yield word


def _is_of_another_kind(said: tuple[str, ...], at: int, known: set[str]) -> bool:
    """Whether the word behind it, or a noun before it, tells that it is another one ("vitamin B12", "table tennis")."""
    following = said[at + 1 : at + 2]
    if following and _DESIGNATION.fullmatch(following[0]):
        return not _is_known(following[0], known)
    if at == 0 or not (is_noun(said[at]) and _may_modify(said[at - 1])) or _is_known(said[at - 1], known):
        return False
    return at == 1 or is_in("determiners", said[at - 2]) or verb_form(said[at - 2]) is not None


def _may_modify(word: str) -> bool:
    """Whether a word may be a noun before another one, and is no relative ("my sister Ann")."""
    form = verb_form(word)
    is_gerund = form is not None and form.is_gerund
    if not (word.islower() and is_noun(word)) or is_plural(word):
        return False
    if is_in("not_verbs", word) or is_in("ends_noun_phrase", word):
        return False
    return not (is_gerund or kinship_of(word) or is_in("determiners", word))


def _is_done_with_another(said: tuple[str, ...], at: int, known: set[str], others: set[int]) -> bool:
    """Whether it is a verb whose object is not known ("running the book club", "play table tennis")."""
    start = at + 2 if is_in("determiners", *said[at + 1 : at + 2]) else at + 1
    end = start + len(noun_phrase(said[start:]))
    is_object = start < end and is_noun(said[start]) and not is_in("ends_noun_phrase", said[start])
    is_noun_here = at > 0 and is_in("determiners", said[at - 1])  # "the wedding goes to September"
    if is_noun_here or verb_form(said[at]) is None or not is_object or not content_words(said[start]):
        return False
    return not any(_is_known(said[index], known) for index in range(start, end) if index not in others)


def _is_known(word: str, known: set[str]) -> bool:
    return not content_words(word).isdisjoint(known)
