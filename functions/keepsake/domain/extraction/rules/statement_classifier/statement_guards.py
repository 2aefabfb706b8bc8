"""Refuses statements whose grammar shows that they are of the moment, of somebody else, or say nothing by themselves.

The classifier knows words; what it takes for a durable fact passes only where these guards find nothing against it.
"""

from __future__ import annotations

import re

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.grammar.noun_phrases import head_of, is_passing
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import is_in, is_known_word

_MIN_WORDS = 3
_OF_MOMENT = frozenset({
    ("have", "to"), ("look", "for"), ("look", "to"), ("try", "on"), ("feel", "like"), ("be", "back"),
    ("move", "again"),
})  # fmt: skip
_OF_AUTHOR = frozenset({"i", "me", "us", "we", "my", "our"})
_OF_THE_DAY = frozenset({"my", "his", "her", "our", "their", "the", "this", "that", "these", "those", "it", "them"})
_ORDINALS = frozenset({"first", "second", "third", "fourth", "fifth", "last", "next", "other"})
_APART = re.compile(r"\b(?:different|separate) \w+s\b")
_QUESTIONS = frozenset({"what", "where", "when", "why", "how", "who"})
_REPORTS = frozenset({"say", "tell", "think", "reckon", "ask"})
_BARE_NAME = re.compile(r"^I am (?![A-Z][a-z]+(?:an|ish|ese|i|ic)$)[A-Z][a-z]+$")
_BARE_SPAN = re.compile(
    r"^(?:about |nearly |almost )?[\w.,]+ (?:years?|months?|weeks?|days?|hours?)(?: old| today| now| ago)?$"
)


def says_something(words: tuple[str, ...]) -> bool:
    """Whether a phrase without a verb says something by itself: no bare number, and no afterthought."""
    is_afterthought = (
        "i" in words[1:] or is_in("afterthoughts", words[0]) or is_in("pointers", words[-1]) or words[-2:-1] == ("and",)
    )
    said = words[1:] if words[0] in ("my", "our") else words
    return len(said) >= _MIN_WORDS and not is_afterthought and _BARE_SPAN.match(" ".join(words)) is None


def is_durable(phrase: VerbPhrase, words: str, *, may_be_close: bool) -> bool:
    """Whether the grammar of a clause allows what its words say.

    ``may_be_close``: whether somebody or something whom the author only names may be theirs.
    """
    if not phrase.rest:
        refrains = phrase.is_negated and phrase.tense is Tense.PRESENT and is_in("refrained_from", phrase.verb)
        return refrains or (phrase.tense is Tense.PROGRESSIVE and is_in("ongoing_by_itself", phrase.verb))
    if _breaks_off(phrase) or _is_unreal(phrase, words) or _APART.search(words):
        return False
    owner = phrase.owner.split()
    if phrase.subject is Subject.AUTHOR:
        is_bare_name = phrase.verb == "be" and len(phrase.rest) == 1 and _BARE_NAME.search(words) is not None
        ends = "and" in owner and is_in("ending_verbs", *phrase.verb_forms)  # "Jake and I broke up" is a change
        return not (is_bare_name or ends or _is_of_moment(phrase))
    is_passing_now = phrase.tense is Tense.PROGRESSIVE and phrase.is_momentary
    is_of_two = phrase.subject is Subject.CLOSE or "and" in owner  # "mum and dad split up"
    ends = is_in("ending_verbs", *phrase.verb_forms) and {"me", "us"}.isdisjoint(phrase.rest[:1]) and not is_of_two
    if is_passing_now or ends or phrase.verb in _REPORTS or is_in("passing_nouns", owner[-1]):
        return False
    if phrase.subject is Subject.CLOSE or (phrase.subject is Subject.OWN and is_in("own_nouns", *owner)):
        return True
    if len(owner) == 1 and not is_known_word(owner[0]) and phrase.verb == "be":  # "Hana is pregnant"
        may_be_close = may_be_close or is_in("durable_adjectives", phrase.rest[0])
    return owner[0] not in ("a", "an") and (may_be_close or not _OF_AUTHOR.isdisjoint(phrase.rest))


def _breaks_off(phrase: VerbPhrase) -> bool:
    """Whether a clause ends in the middle, in what it does not name, or in a number by itself.

    The rules read ages, and only plausible ones.
    """
    last = phrase.rest[-1]
    if phrase.verb == "be" and phrase.rest[0] in _QUESTIONS:  # "coffee is what I need"
        return True
    is_bare_number = (phrase.verb == "be" and last == "old") or (last.isdigit() and len(phrase.rest) < _MIN_WORDS)
    if last in _ORDINALS:  # "just had our third"
        return phrase.rest[-2:] != ("at", "last")
    if last == "may":  # "the 14th of May"
        return False
    return is_bare_number or any(is_in(section, last) for section in ("pointers", "auxiliaries", "prepositions"))


def _is_unreal(phrase: VerbPhrase, words: str) -> bool:
    """Whether a clause tells of a task, of what might be, or of what comes on no day that it names."""
    if is_in("task_nouns", head_of(phrase.rest), phrase.owner.split()[-1]):
        return True
    if phrase.tense is Tense.FUTURE and phrase.is_negated:  # "won't touch seafood", not "won't eat his dinner tonight"
        return names_day(words) or phrase.rest[0] in _OF_THE_DAY
    if phrase.tense is Tense.FUTURE:
        return phrase.verb == "be" or not names_day(words)
    return phrase.tense is Tense.MODAL and not phrase.is_negated


def _is_of_moment(phrase: VerbPhrase) -> bool:
    """Whether the author only needs, wants or has something for the moment."""
    is_state = phrase.verb in ("have", "be", "get", "prefer") and not is_in("durable_adjectives", phrase.rest[0])
    is_passing_state = is_state and is_passing(phrase.rest)
    is_away = (phrase.verb, phrase.rest[0]) == ("be", "in") and phrase.rest[
        -1
    ] == "now"  # a trip, or a home for the rules
    wants_thing = phrase.verb in ("need", *_REPORTS) or (phrase.verb == "want" and is_in("determiners", phrase.rest[0]))
    is_over = phrase.verb == "be" and phrase.is_negated and phrase.rest[0] in ("at", "in", "with")
    return is_passing_state or is_away or is_over or wants_thing or (phrase.verb, phrase.rest[0]) in _OF_MOMENT
