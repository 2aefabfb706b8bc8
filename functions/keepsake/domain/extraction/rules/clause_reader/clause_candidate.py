"""Makes a candidate of a clause that says something lasting."""

from __future__ import annotations

import re

from keepsake.domain.english.third_person import third_person
from keepsake.domain.extraction.rules.clause_reader.durable_statements import Reading, read
from keepsake.domain.extraction.rules.clause_reader.verb_phrase import (
    Subject,
    Tense,
    VerbPhrase,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.clause_reader.word_classes import is_in
from keepsake.domain.extraction.rules.phrase_slugs import phrase_slug
from keepsake.domain.extraction.rules.split_clauses import Clause
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
    key, value = _key(phrase, reading)
    return Candidate(
        type=reading.type,
        subtype=reading.subtype,
        text=truncate_words(text, MAX_TEXT_LENGTH),
        quote=clause.quote,
        confidence=_CONFIDENCE,
        key=key,
        value=value,
        entity_type="person",
        rule=RULE,
    )


def _key(phrase: VerbPhrase, reading: Reading) -> tuple[str | None, str | None]:
    """The key and value of what the author is, has or does; none where it is about somebody else, or is over."""
    what = phrase_slug(" ".join(phrase.rest).removesuffix(" now"))
    if phrase.subject is not Subject.AUTHOR or phrase.tense is not Tense.PRESENT or phrase.is_negated or not what:
        return None, None
    if is_in("single_valued_verbs", phrase.verb):
        return f"{reading.type.value}|person|self|{phrase.verb}", slug(" ".join(phrase.rest).removesuffix(" now"))
    attribute = {"be": "is", "have": "has"}.get(phrase.verb)
    if attribute is None:
        attribute, what = "habit", phrase_slug(f"{phrase.verb} {' '.join(phrase.rest)}")
    return f"{reading.type.value}|person|self|{attribute}|{what}", "yes"
