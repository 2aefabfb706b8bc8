"""Makes a candidate of a statement that was classified as a durable fact: its text, its kind, and its key."""

from __future__ import annotations

import re

from keepsake.domain.english.lemmas import inflect
from keepsake.domain.english.relative_dates import names_day
from keepsake.domain.english.third_person import third_person
from keepsake.domain.extraction.rules.clauses.phrase_slugs import phrase_slug
from keepsake.domain.extraction.rules.grammar.verb_phrase import Subject, Tense, VerbPhrase
from keepsake.domain.extraction.rules.grammar.word_forms import is_in, verb_form
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.text import slug, truncate_words

RULE = "statement_classifier"
_CONFIDENCE, _CONFIDENCE_IN_WORDS = 0.7, 0.5
"""That of a statement whose grammar is read, and that of any other."""
_AGE = re.compile(r"^my \d{1,2}[- ]years?[- ]olds? ", re.IGNORECASE)
_THEY = re.compile(
    r"^they (?:have )?(?:just |recently |finally )?(?P<verb>[\w-]+) (?:me|us)\b(?P<rest>.*)$", re.IGNORECASE
)
_WITH_AUTHOR = re.compile(
    r"^(?:me and (?P<one>(?:my |the )?[\w'-]+)|(?P<two>(?:my )?[\w' -]{1,30}?) and I)\s+(?!(?:are|am) done\b)",
    re.IGNORECASE,
)

_PLAN = (MemoryType.FACT, Subtype.EVENT)
_GOAL = (MemoryType.GOAL, Subtype.OTHER)
_HABIT = (MemoryType.PATTERN, Subtype.HABIT)
_KIND_BY_SUBJECT = {
    Subject.AUTHOR: (MemoryType.FACT, Subtype.IDENTITY),
    Subject.CLOSE: (MemoryType.RELATIONSHIP, Subtype.RELATIONSHIP),
    Subject.OWN: (MemoryType.FACT, Subtype.POSSESSION),
    Subject.OTHER: (MemoryType.FACT, Subtype.IDENTITY),
}


def statement_candidate(words: str, phrase: VerbPhrase | None, quote: str) -> Candidate:
    """The candidate of a statement in these words; ``phrase`` is its grammar, where that is read."""
    kind = _kind_of(words, phrase)
    key, value = (None, None) if phrase is None else _key(phrase, kind[0])
    return Candidate(
        type=kind[0],
        subtype=kind[1],
        text=truncate_words(_text(words), MAX_TEXT_LENGTH),
        quote=quote,
        confidence=_CONFIDENCE_IN_WORDS if phrase is None else _CONFIDENCE,
        key=key,
        value=value,
        importance=1 if key or kind is _PLAN else 2,  # a first context shows who the person is in words of their own
        entity_type="person",
        why=RULE,
    )


def _text(words: str) -> str:
    """The words in the third person; whom the author does it with stands at the end."""
    said = _WITH_AUTHOR.sub("we ", words)
    text = third_person(_done_to_author(said) or _AGE.sub("my ", said))
    companion = _WITH_AUTHOR.match(words)
    return f"{text} with {(companion['one'] or companion['two']).replace('my ', 'their ')}" if companion else text


def _done_to_author(words: str) -> str | None:
    """The words of "they moved me to nights" as "I was moved to nights"; "they" may be anybody."""
    match = _THEY.match(words)
    form = None if match is None else verb_form(match["verb"].lower())
    if match is None or form is None or not form.is_past:
        return None
    return f"I was {inflect(form.lemma, 'VBN')}{match['rest']}"


def _kind_of(words: str, phrase: VerbPhrase | None) -> tuple[MemoryType, Subtype]:
    """What a statement is, by its subject and verb; a plan where it names a day to come."""
    is_over = phrase is not None and phrase.tense in (Tense.PAST, Tense.PERFECT, Tense.USED_TO)
    if names_day(words) and not is_over:
        return _PLAN
    if phrase is None or phrase.subject is not Subject.AUTHOR or phrase.tense is not Tense.PRESENT:
        return _KIND_BY_SUBJECT[Subject.AUTHOR if phrase is None else phrase.subject]
    if is_in("goal_openers", phrase.verb):
        return _GOAL
    return _KIND_BY_SUBJECT[Subject.AUTHOR] if phrase.verb in ("be", "have") else _HABIT


def _key(phrase: VerbPhrase, kind: MemoryType) -> tuple[str | None, str | None]:
    """The key and value of what the author is, has or does; none where it is about somebody else, or is over."""
    said = " ".join(phrase.rest).removesuffix(" now")
    what = phrase_slug(said)
    if phrase.subject is not Subject.AUTHOR or phrase.tense is not Tense.PRESENT or phrase.is_negated or not what:
        return None, None
    if is_in("single_valued_verbs", phrase.verb):
        return f"{kind.value}|person|self|{phrase.verb}", slug(said)
    attribute = {"be": "is", "have": "has"}.get(phrase.verb)
    if attribute is None:
        attribute, what = "habit", phrase_slug(f"{phrase.verb} {said}")
    return f"{kind.value}|person|self|{attribute}|{what}", "yes"
