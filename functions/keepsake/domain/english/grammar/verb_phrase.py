"""Reads a clause: its subject, its verb with tense and negation, and what follows."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from keepsake.domain.english.grammar.word_forms import VerbForm, is_adverb, is_in, is_noun, verb_form
from keepsake.domain.english.kinship import FRIENDS, RELATIONS, kinship_of
from keepsake.domain.english.word_groups import PET_WORDS

_MAX_SUBJECT = 6
_PUNCTUATION = f"{string.punctuation}“”‘’…–—•"
_CLOSE = re.compile(f"{RELATIONS}|{FRIENDS}", re.IGNORECASE)
_DETERMINERS = frozenset({"my", "our", "the", "a", "an"})
_NOT_IN_SUBJECT = frozenset({"i", "you", "he", "she", "it", "they", "we", "to", "if", "that", "which", "what", "how"})
_BE = frozenset({"am", "is", "are", "was", "were"})
_HAVE = frozenset({"have", "has", "had"})
_DO = frozenset({"do", "does", "did"})


class Subject(Enum):
    """Who a clause is about."""

    AUTHOR = "author"
    CLOSE = "close"
    """A relative, friend, colleague or animal of the author."""
    OWN = "own"
    """A thing or a part of the body of the author."""
    OTHER = "other"


class Tense(Enum):
    """The tense of a clause, or the mood in its place."""

    PRESENT = "present"
    PROGRESSIVE = "progressive"
    PAST = "past"
    PERFECT = "perfect"
    FUTURE = "future"
    ABILITY = "ability"
    USED_TO = "used to"
    MODAL = "modal"


_AFTER_AUXILIARY = {
    "will": Tense.FUTURE, "can": Tense.ABILITY, "cannot": Tense.ABILITY, "do": Tense.PRESENT, "does": Tense.PRESENT,
    "did": Tense.PAST,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerbPhrase:
    """A clause as far as its grammar is read."""

    subject: Subject
    owner: str
    """The words of the subject."""
    tense: Tense
    verb: str
    """The base form: "be" where something is said to be something."""
    rest: tuple[str, ...]
    """The words after the verb, in lower case, without punctuation."""
    is_negated: bool = False


@lru_cache(maxsize=256)  # whoever splits a sentence asks for the words of the same few parts
def bare_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation around them."""
    return tuple(word for token in text.split() if (word := token.strip(_PUNCTUATION).lower()))


@lru_cache(maxsize=64)  # a clause is read by its grammar, as a piece, and for changes
def read_verb_phrase(words: str) -> VerbPhrase | None:
    """The grammar of a clause in normalized words; None where it has no subject and verb that are recognized."""
    tokens = bare_words(words)
    length = _subject_length(tokens) if tokens else 0
    if not 0 < length < len(tokens):
        return None
    subject = _kind_of(tokens[:length])
    predicate, is_negated = _skip(tokens[length:])
    head, rest = predicate[0], predicate[1:]
    is_auxiliary = is_in("auxiliaries", head)
    after, is_negated_after = _skip(rest) if is_auxiliary else (rest, False)
    is_negated = is_negated or is_negated_after or head == "cannot"
    verb: _Verb | None
    if head in _BE:
        verb = _after_be(Tense.PAST if head in ("was", "were") else Tense.PRESENT, after)
    elif head in _HAVE:
        verb = _after_have(head, after)
    elif is_auxiliary and (is_negated or head not in _DO):
        verb = _after_modal(head, after)
    else:
        verb = _main_verb(head, rest, is_author=subject is Subject.AUTHOR)
    return VerbPhrase(subject, " ".join(tokens[:length]), *verb, is_negated) if verb else None


def _subject_length(tokens: tuple[str, ...]) -> int:
    """How many words the subject has; 0 where none is found."""
    if tokens[0] in ("i", "we"):
        return 1
    if tokens[0] == "me" and tokens[1:2] == ("and",):
        return 4 if tokens[2:3] == ("my",) else 3
    first = 2 if tokens[0] in _DETERMINERS else 1
    for index in range(first, min(len(tokens), _MAX_SUBJECT)):
        word = tokens[index]
        if word == "and" and tokens[index + 1 : index + 2] == ("i",):
            return index + 2
        if is_in("auxiliaries", word):
            return index
        if word in _NOT_IN_SUBJECT:
            return 0
        is_in_phrase = tokens[index - 1] in _DETERMINERS or is_in("prepositions", tokens[index - 1])
        form = None if is_in_phrase or is_in("not_verbs", word) or is_adverb(word) else verb_form(word)
        if form is None or not (_agrees(form, tokens[index - 1]) or (form.is_base and "and" in tokens[1:index])):
            continue
        following = verb_form(tokens[index + 1]) if index + 1 < len(tokens) else None
        if index + 1 < len(tokens) and tokens[index + 1] in _BE | _HAVE:
            continue
        if not (is_noun(word) and following is not None and (following.is_past or following.is_third_person)):
            return index
    return 0


def _agrees(form: VerbForm, before: str) -> bool:
    """Whether a verb form may follow the noun before it."""
    return form.is_third_person or form.is_past or (form.is_base and before.endswith("s") and form.lemma != before)


def _kind_of(subject: tuple[str, ...]) -> Subject:
    if subject[0] in ("i", "we", "me") or subject[-1] == "i":
        return Subject.AUTHOR
    if is_in("bare_relatives", subject[-1]) and subject[:-1] in ((), ("the",)):
        return Subject.CLOSE
    if len(subject) == 1 and is_in("own_nouns", subject[0]):
        return Subject.OWN
    if subject[0] not in ("my", "our"):
        return Subject.OTHER
    owned = subject[1:]
    close = [word for word in owned if _CLOSE.fullmatch(word) or word in PET_WORDS or is_in("bare_relatives", word)]
    owners = [word for word in owned[:-1] if word.endswith(("'s", "s'")) or (kinship_of(word) and "and" not in owned)]
    if owners and (len(close) > 1 or kinship_of(owned[-1]) or owners[0].endswith(("'s", "s'"))):
        return Subject.OTHER
    if close:
        return Subject.CLOSE
    return Subject.OWN


_Verb = tuple[Tense, str, tuple[str, ...]]
"""The tense of a clause, its verb and what follows."""


def _form_of_first(words: tuple[str, ...]) -> VerbForm | None:
    return verb_form(words[0]) if words else None


def _after_be(tense: Tense, rest: tuple[str, ...]) -> _Verb:
    is_present = tense is Tense.PRESENT
    if rest[:2] == ("going", "to") and (intended := _form_of_first(rest[2:])):
        return Tense.FUTURE, intended.lemma, rest[3:]
    form = _form_of_first(rest)
    if form is None or is_in("durable_adjectives", rest[0]):
        return tense, "be", rest
    if form.is_gerund:
        return Tense.PROGRESSIVE if is_present else tense, form.lemma, rest[1:]
    if form.is_participle and not form.is_base:
        return Tense.PERFECT if is_present else tense, form.lemma, rest[1:]
    return tense, "be", rest


def _after_have(head: str, rest: tuple[str, ...]) -> _Verb:
    if rest[:1] == ("been",) and len(rest) > 1:
        after, _ = _skip(rest[1:])
        tense, verb, following = _after_be(Tense.PRESENT, after)
        return Tense.PERFECT if tense is Tense.PRESENT else tense, verb, following
    form = _form_of_first(rest)
    if form is not None and form.is_participle:
        return Tense.PERFECT, form.lemma, rest[1:]
    return Tense.PAST if head == "had" else Tense.PRESENT, "have", rest


def _after_modal(head: str, rest: tuple[str, ...]) -> _Verb | None:
    if head == "used":
        return (Tense.USED_TO, rest[1], rest[2:]) if rest[:1] == ("to",) and len(rest) > 1 else None
    form = _form_of_first(rest)
    return (_AFTER_AUXILIARY.get(head, Tense.MODAL), form.lemma, rest[1:]) if form else None


def _main_verb(head: str, rest: tuple[str, ...], *, is_author: bool) -> _Verb | None:
    form = verb_form(head)
    if form is None:
        return None
    if form.is_past and not (is_author and form.is_base and not is_in("turning_verbs", form.lemma)):
        return Tense.PAST, form.lemma, rest
    is_present = form.is_base or (form.is_third_person and not is_author)
    return (Tense.PRESENT, form.lemma, rest) if is_present else None


def _skip(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The words after adverbs and negations, and whether one negates."""
    is_negated = False
    index = 0
    while index < len(tokens) - 1 and (tokens[index] in ("not", "never") or is_adverb(tokens[index])):
        is_negated = is_negated or tokens[index] in ("not", "never")
        index += 1
    return tokens[index:], is_negated
