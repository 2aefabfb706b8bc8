"""Recognizes what the author tells of the past, or of a day to come, that is more than an errand of the moment."""

from __future__ import annotations

import re

from keepsake.domain.english.calendar_words import MONTHS
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.grammar.noun_phrases import Words, is_passing, noun_phrase
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_in
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern

_MOMENT = re.compile(rf"\b(?:{'|'.join(sorted(CLASSES['moments']))})\b")
_VAGUE = load_pattern("vague_object")
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)|(?:{_MONTH}) \d{{1,2}}|\d{{1,2}} (?:of )?(?:{_MONTH}))\b", re.IGNORECASE
)
_FOR_GOOD = re.compile(r"\bfor good$|\bfor good (?:now|this time|last|in)\b")
_OF_RELATIVE = re.compile(rf"(?:{RELATIONS})'s \w+$", re.IGNORECASE)
_POINTERS = frozenset({"it", "them", "this", "that", "these", "those"})
_MIN_WORDS = 2
_SET = frozenset({"book", "schedule", "set", "plan", "postpone", "confirm", "arrange"})
_DATED_BY = frozenset({"on", "in", "this", "next", "the", "from", "due"})


def is_life_event(phrase: VerbPhrase) -> bool:
    """Whether a clause in the past tells something of a life ("I switched from economics to linguistics")."""
    after = " ".join(phrase.rest)
    is_short = len(phrase.rest) < _MIN_WORDS and not phrase.is_passive
    if (
        phrase.is_negated
        or is_short
        or not _POINTERS.isdisjoint(phrase.rest)
        or _MOMENT.search(after)
        or _VAGUE.match(after)
    ):
        return False
    if _FOR_GOOD.search(after) or has_medical_object(phrase) or _is_examination(phrase):
        return True
    if phrase.is_passive:
        return is_in("lasting_to_author", *phrase.verb_forms)
    if is_in("needs_own_object", phrase.verb) or is_in("needs_special_object", phrase.verb):
        return False
    if is_in("fleeting_verbs", *phrase.verb_forms) or is_in("passing_verbs", phrase.verb):
        return False
    named = noun_phrase(phrase.rest)
    return not (is_passing(phrase.rest) or is_in("task_nouns", *phrase.rest) or is_in("devices", *named))


def has_medical_object(phrase: VerbPhrase) -> bool:
    """Whether the author had something done to the body ("had a hip done", "had a stroke")."""
    if phrase.verb not in ("have", "get"):
        return False
    is_mended = is_in("body", *phrase.rest[:4]) and is_in("mended", *phrase.rest[1:5])
    named = noun_phrase(phrase.rest)
    return is_mended or (is_in("determiners", named[0]) and is_in("medical_events", *named[1:]))


def _is_examination(phrase: VerbPhrase) -> bool:
    """Whether an examination was passed or failed that qualifies for something ("passed my driving test")."""
    return is_in("examination_verbs", phrase.verb) and is_in("examinations", *phrase.rest[:5])


def is_scheduled(phrase: VerbPhrase) -> bool:
    """Whether something of the author is set for a day ("my knee replacement is booked for the 14th of May")."""
    is_of_author = phrase.owner.startswith(("my ", "our ")) or _OF_RELATIVE.match(phrase.owner)
    if phrase.subject is Subject.AUTHOR or phrase.is_negated or not is_of_author:
        return False
    is_set = phrase.tense is Tense.PERFECT and phrase.is_passive and phrase.verb in _SET
    is_on = phrase.tense is Tense.PRESENT and phrase.verb == "be" and phrase.rest[0] in _DATED_BY
    owner = tuple(phrase.owner.split())
    return (is_set or is_on) and names_date(phrase.rest) and not (is_passing(owner) or is_in("task_nouns", *owner))


def names_date(words: Words) -> bool:
    """Whether the words name a day, also without a preposition ("june 27")."""
    text = " ".join(words)
    return names_day(text) or _DATE.search(text) is not None


def has_come_through(phrase: VerbPhrase) -> bool:
    """Whether what was awaited has come ("the divorce came through", "my visa got approved")."""
    owner = phrase.owner.split()
    is_of_author = owner[0] in ("my", "our", "the") and is_in("awaited", *owner[1:])
    has_come = is_in("arriving_by_itself", *phrase.verb_forms)
    if phrase.is_passive:
        has_come = has_come or is_in("granting_verbs", phrase.verb)
    was_granted = phrase.verb == "get" and is_in("granted", *phrase.rest[:1])
    return is_of_author and not phrase.is_negated and (has_come or was_granted)
