"""Reads a clause: its subject, its verb with tense and negation, and what follows."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, replace
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

    def with_verb(self, tense: Tense, verb: str, rest: tuple[str, ...]) -> VerbPhrase:
        """The clause with its verb."""
        return replace(self, tense=tense, verb=verb, rest=rest)


def bare_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation around them."""
    return tuple(word for token in text.split() if (word := token.strip(_PUNCTUATION).lower()))


@lru_cache(maxsize=64)  # a clause is read by its grammar, as a piece, and for changes
def read_verb_phrase(words: str) -> VerbPhrase | None:
    """The grammar of a clause in normalized words; None where it has no subject and verb that are recognized."""
    tokens = bare_words(words)
    if not tokens:
        return None
    length = _subject_length(tokens)
    if not length or length >= len(tokens):
        return None
    clause = VerbPhrase(_kind_of(tokens[:length]), " ".join(tokens[:length]), Tense.PRESENT, "", ())
    return _read_predicate(clause, tokens[length:])


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


def _read_predicate(clause: VerbPhrase, tokens: tuple[str, ...]) -> VerbPhrase | None:
    """The verb phrase of what follows the subject."""
    tokens, is_negated = _skip(tokens)
    head, rest = tokens[0], tokens[1:]
    if not is_in("auxiliaries", head):
        return _main_verb(replace(clause, is_negated=is_negated), head, rest)
    after, negation = _skip(rest)
    clause = replace(clause, is_negated=is_negated or negation or head == "cannot")
    if head in _BE:
        return _after_be(clause, head, after)
    if head in _HAVE:
        return _after_have(clause, head, after)
    if head in ("do", "does", "did") and not clause.is_negated:
        return _main_verb(clause, head, rest)
    return _after_modal(clause, head, after)


def _after_be(clause: VerbPhrase, head: str, rest: tuple[str, ...]) -> VerbPhrase | None:
    tense = Tense.PAST if head in ("was", "were") else Tense.PRESENT
    form = verb_form(rest[0]) if rest else None
    intended = verb_form(rest[2]) if rest[:2] == ("going", "to") and len(rest) > 2 else None
    if intended is not None:
        return clause.with_verb(Tense.FUTURE, intended.lemma, rest[3:])
    if form is None or is_in("durable_adjectives", rest[0]):
        return clause.with_verb(tense, "be", rest)
    if form.is_gerund:
        return clause.with_verb(Tense.PROGRESSIVE if tense is Tense.PRESENT else tense, form.lemma, rest[1:])
    if form.is_participle and not form.is_base:
        is_done = Tense.PERFECT if tense is Tense.PRESENT else tense
        return clause.with_verb(is_done, form.lemma, rest[1:])
    return clause.with_verb(tense, "be", rest)


def _after_have(clause: VerbPhrase, head: str, rest: tuple[str, ...]) -> VerbPhrase | None:
    if rest[:1] == ("been",) and len(rest) > 1:
        after, _ = _skip(rest[1:])
        inner = _after_be(clause, "am", after)
        if inner is None or inner.tense is not Tense.PRESENT:
            return inner
        return clause.with_verb(Tense.PERFECT, "be", after)
    form = verb_form(rest[0]) if rest else None
    if form is not None and form.is_participle:
        return clause.with_verb(Tense.PERFECT, form.lemma, rest[1:])
    return clause.with_verb(Tense.PAST if head == "had" else Tense.PRESENT, "have", rest)


def _after_modal(clause: VerbPhrase, head: str, rest: tuple[str, ...]) -> VerbPhrase | None:
    form = verb_form(rest[0]) if rest else None
    if head == "used":
        return clause.with_verb(Tense.USED_TO, rest[1], rest[2:]) if rest[:1] == ("to",) and len(rest) > 1 else None
    if form is None:
        return None
    return clause.with_verb(_AFTER_AUXILIARY.get(head, Tense.MODAL), form.lemma, rest[1:])


def _main_verb(clause: VerbPhrase, head: str, rest: tuple[str, ...]) -> VerbPhrase | None:
    form = verb_form(head)
    if form is None:
        return None
    is_author = clause.subject is Subject.AUTHOR
    if form.is_past and not (is_author and form.is_base and not is_in("turning_verbs", form.lemma)):
        return clause.with_verb(Tense.PAST, form.lemma, rest)
    is_present = form.is_base or (form.is_third_person and not is_author)
    return clause.with_verb(Tense.PRESENT, form.lemma, rest) if is_present else None


def _skip(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The words after adverbs and negations, and whether one negates."""
    is_negated = False
    index = 0
    while index < len(tokens) - 1 and (tokens[index] in ("not", "never") or is_adverb(tokens[index])):
        is_negated = is_negated or tokens[index] in ("not", "never")
        index += 1
    return tokens[index:], is_negated
