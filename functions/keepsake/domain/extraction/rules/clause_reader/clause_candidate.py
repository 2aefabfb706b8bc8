"""Makes a candidate of a clause that says something durable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.lemmas import inflect
from keepsake.domain.english.third_person import third_person
from keepsake.domain.extraction.rules.clause_reader.durable_statements import MemoryKind, kind_of
from keepsake.domain.extraction.rules.clauses.phrase_slugs import phrase_slug
from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.extraction.rules.grammar.verb_phrase import (
    Subject,
    Tense,
    VerbPhrase,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.grammar.word_forms import is_in, verb_form
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.text import slug, truncate_words

RULE = "clause_reader"
_CONFIDENCE = 0.7
_MIN_WORDS = 3
_APART = re.compile(r"\b(?:different|separate) \w+s$")
_AGE = re.compile(r"^my \d{1,2}[- ]years?[- ]olds? ", re.IGNORECASE)
_THEY = re.compile(
    r"^they (?:have )?(?:just |recently |finally )?(?P<verb>[\w-]+) (?:me|us) (?P<rest>\S.*)$", re.IGNORECASE
)
_WITH_AUTHOR = re.compile(
    r"^(?:me and (?P<one>(?:my |the )?[\w'-]+)|(?P<two>(?:my )?[\w' -]{1,30}?) and I)\s+(?!(?:are|am) done\b)",
    re.IGNORECASE,
)


def read_clause(clause: Clause) -> Candidate | None:
    """The candidate of a clause that no rule knows; None where it says nothing durable about its author."""
    if _APART.search(clause.words):
        return None
    for said in _readable_parts(clause.words):
        words = _WITH_AUTHOR.sub("we ", said)
        phrase = read_verb_phrase(words)
        kind = None if phrase is None or len(said.split()) < _MIN_WORDS else kind_of(phrase)
        if phrase is not None and kind is not None:
            return _candidate(clause, words, phrase, kind)
    return None


def _readable_parts(words: str) -> Iterator[str]:
    """The words of a clause, and what stands before its first comma ("I have arthritis, hands mostly")."""
    yield words
    before, comma, _ = words.partition(", ")
    if comma:
        yield before


def _candidate(clause: Clause, words: str, phrase: VerbPhrase, kind: MemoryKind) -> Candidate:
    """The candidate of a clause in these words."""
    key, value = _key(phrase, kind)
    return Candidate(
        type=kind.type,
        subtype=kind.subtype,
        text=truncate_words(_text(clause.words, words), MAX_TEXT_LENGTH),
        quote=clause.quote,
        confidence=_CONFIDENCE,
        key=key,
        value=value,
        entity_type="person",
        why=RULE,
    )


def third_person_text(words: str) -> str:
    """The text of a clause in these words in the third person; whom the author does it with stands at its end."""
    return _text(words, _WITH_AUTHOR.sub("we ", words))


def _text(said: str, words: str) -> str:
    text = third_person(_done_to_author(words) or _AGE.sub("my ", words))
    companion = _WITH_AUTHOR.match(said)
    return f"{text} with {(companion['one'] or companion['two']).replace('my ', 'their ')}" if companion else text


def _done_to_author(words: str) -> str | None:
    """The words of "they moved me to nights" as "I was moved to nights"; "they" may be anybody."""
    match = _THEY.match(words)
    form = None if match is None else verb_form(match["verb"].lower())
    if match is None or form is None or not form.is_past:
        return None
    return f"I was {inflect(form.lemma, 'VBN')} {match['rest']}"


def _key(phrase: VerbPhrase, kind: MemoryKind) -> tuple[str | None, str | None]:
    """The key and value of what the author is, has or does; none where it is about somebody else, or is over."""
    what = phrase_slug(" ".join(phrase.rest).removesuffix(" now"))
    if phrase.subject is not Subject.AUTHOR or phrase.tense is not Tense.PRESENT or phrase.is_negated or not what:
        return None, None
    if is_in("single_valued_verbs", phrase.verb):
        return f"{kind.type.value}|person|self|{phrase.verb}", slug(" ".join(phrase.rest).removesuffix(" now"))
    attribute = {"be": "is", "have": "has"}.get(phrase.verb)
    if attribute is None:
        attribute, what = "habit", phrase_slug(f"{phrase.verb} {' '.join(phrase.rest)}")
    return f"{kind.type.value}|person|self|{attribute}|{what}", "yes"
