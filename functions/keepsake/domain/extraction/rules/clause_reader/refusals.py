"""Recognizes what somebody never does, said as a refusal ("I won't touch seafood", "my son won't wear wool")."""

from __future__ import annotations

from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_in
from keepsake.domain.extraction.rules.patterns.pattern_file import load_pattern
from keepsake.domain.text import word_set

_VAGUE = load_pattern("vague_object")
_OF_THE_DAY = word_set("my his her our their the this that these those")
"""Words before what is refused for once ("won't eat his dinner")."""


def is_refusal(phrase: VerbPhrase) -> bool:
    """Whether a clause says what somebody never does, and not what they leave for a day."""
    refuses = phrase.tense is Tense.FUTURE and phrase.is_negated and is_in("refused_verbs", phrase.verb)
    if not refuses or phrase.subject is Subject.OWN or phrase.rest[0] in _OF_THE_DAY:
        return False
    after = " ".join(phrase.rest)
    is_of_moment = any(f" {moment} " in f" {after} " for moment in CLASSES["moments"])
    return not (is_of_moment or _VAGUE.match(after) or names_day(after))
