"""Refuses statements whose grammar shows that they are of the moment, of somebody else, or say nothing by themselves.

The classifier knows words; what it takes for a durable fact passes only where these guards find nothing against it.
"""

from __future__ import annotations

import re

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.clause_reader.durable_statements import is_momentary
from keepsake.domain.extraction.rules.grammar.noun_phrases import head_of, is_passing
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import is_in

_MIN_WORDS = 3
_OF_MOMENT = frozenset({("have", "to"), ("look", "for"), ("look", "to"), ("try", "on"), ("feel", "like")})
_OF_AUTHOR = frozenset({"i", "me", "us", "we", "my", "our"})
_APART = re.compile(r"\b(?:different|separate) \w+s\b")
_BARE_SPAN = re.compile(
    r"^(?:about |nearly |almost )?[\w.,]+ (?:years?|months?|weeks?|days?|hours?)(?: old| today| now| ago)?$"
)


def says_something(words: tuple[str, ...]) -> bool:
    """Whether a phrase without a verb says something by itself: no bare number, and no afterthought."""
    is_afterthought = is_in("afterthoughts", words[0]) or is_in("pointers", words[-1]) or words[-2:-1] == ("and",)
    said = words[1:] if words[0] in ("my", "our") else words
    return len(said) >= _MIN_WORDS and not is_afterthought and _BARE_SPAN.match(" ".join(words)) is None


def is_durable(phrase: VerbPhrase, words: str, *, may_be_close: bool) -> bool:
    """Whether the grammar of a clause allows what its words say.

    ``may_be_close``: whether somebody or something whom the author only names may be theirs.
    """
    if not phrase.rest:
        return phrase.tense is Tense.PROGRESSIVE and is_in("ongoing_by_itself", phrase.verb)
    if _breaks_off(phrase) or _is_unreal(phrase, words) or _APART.search(words):
        return False
    if phrase.subject is Subject.AUTHOR:
        return not _is_of_moment(phrase)
    owner = phrase.owner.split()
    is_passing_now = phrase.tense is Tense.PROGRESSIVE and is_momentary(words)
    if is_passing_now or is_in("passing_nouns", owner[-1]) or is_in("ending_verbs", *phrase.verb_forms):
        return False
    if phrase.subject is Subject.CLOSE or (phrase.subject is Subject.OWN and is_in("own_nouns", *owner)):
        return True
    return owner[0] not in ("a", "an") and (may_be_close or not _OF_AUTHOR.isdisjoint(phrase.rest))


def _breaks_off(phrase: VerbPhrase) -> bool:
    """Whether a clause ends in the middle, in what it does not name, or in a number by itself.

    The rules read ages, and only plausible ones.
    """
    last = phrase.rest[-1]
    is_bare_number = (phrase.verb == "be" and last == "old") or (last.isdigit() and len(phrase.rest) < _MIN_WORDS)
    return is_bare_number or any(is_in(section, last) for section in ("pointers", "auxiliaries", "prepositions"))


def _is_unreal(phrase: VerbPhrase, words: str) -> bool:
    """Whether a clause tells of a task, of what might be, or of what comes on no day that it names."""
    if is_in("task_nouns", head_of(phrase.rest), phrase.owner.split()[-1]):
        return True
    if phrase.tense is Tense.FUTURE and not phrase.is_negated:
        return phrase.verb == "be" or not names_day(words)
    return phrase.tense is Tense.MODAL and not phrase.is_negated


def _is_of_moment(phrase: VerbPhrase) -> bool:
    """Whether the author only needs, wants or has something for the moment."""
    is_passing_state = phrase.verb in ("have", "be", "get", "prefer") and is_passing(phrase.rest)
    wants_thing = phrase.verb == "need" or (phrase.verb == "want" and is_in("determiners", phrase.rest[0]))
    return is_passing_state or wants_thing or (phrase.verb, phrase.rest[0]) in _OF_MOMENT
