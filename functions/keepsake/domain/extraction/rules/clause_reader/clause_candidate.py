"""Makes a candidate of a clause that says something lasting."""

from __future__ import annotations

import re

from keepsake.domain.english.third_person import third_person
from keepsake.domain.extraction.rules.clause_reader.durable_statements import read
from keepsake.domain.extraction.rules.clause_reader.verb_phrase import Subject, read_verb_phrase
from keepsake.domain.extraction.rules.clause_reader.word_classes import is_in
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.text import slug, truncate_words

RULE = "clause_reader"
_CONFIDENCE = 0.6
_MIN_WORDS = 3
_APART = re.compile(r"\b(?:different|separate) \w+s$")
_AGE = re.compile(r"^my \d{1,2}[- ]years?[- ]olds? ", re.IGNORECASE)
_WITH_AUTHOR = re.compile(
    r"^(?:me and (?P<one>(?:my )?[\w'-]+)|(?P<two>(?:my )?[\w' -]{1,30}?) and I)\s+(?!(?:are|am) done\b)", re.IGNORECASE
)


def read_clause(clause: Clause) -> Candidate | None:
    """The candidate of a clause that no rule knows; None where it says nothing lasting about its author."""
    words = _WITH_AUTHOR.sub("we ", clause.words)
    phrase = read_verb_phrase(words)
    if phrase is None or _APART.search(words) or len(clause.words.split()) < _MIN_WORDS:
        return None
    reading = read(phrase)
    if reading is None:
        return None
    text = third_person(_AGE.sub("my ", words))
    if companion := _WITH_AUTHOR.match(clause.words):
        text = f"{text} with {(companion['one'] or companion['two']).replace('my ', 'their ')}"
    if phrase.subject is Subject.OTHER:
        text = text[:1].upper() + text[1:]
    has_one_value = phrase.subject is Subject.AUTHOR and is_in("single_valued_verbs", phrase.verb)
    return Candidate(
        type=reading.type,
        subtype=reading.subtype,
        text=truncate_words(text, MAX_TEXT_LENGTH),
        quote=clause.quote,
        confidence=_CONFIDENCE,
        key=f"{reading.type.value}|person|self|{phrase.verb}" if has_one_value else None,
        value=slug(" ".join(phrase.rest).removesuffix(" now")) if has_one_value else None,
        entity_type="person",
        rule=RULE,
    )
