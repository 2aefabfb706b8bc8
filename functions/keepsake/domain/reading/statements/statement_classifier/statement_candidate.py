"""Makes a candidate of a statement that was classified as a durable fact: its text in the third person, its kind."""

from __future__ import annotations

import re
from itertools import dropwhile

from keepsake.domain.english.grammar.verb_phrase import read_verb_phrase
from keepsake.domain.english.grammar.word_forms import verb_form
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.lemmas import inflect
from keepsake.domain.english.third_person import third_person
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate
from keepsake.domain.reading.statements.statement_classifier.statement_kinds import kind_of
from keepsake.domain.text import truncate_words

RULE = "statement_classifier"
_CONFIDENCE, _CONFIDENCE_IN_WORDS = 0.7, 0.5
"""That of a statement whose grammar is read, and that of any other."""
_AGE = re.compile(rf"^my \d{{1,2}}[- ]years?[- ]old (?=(?:{RELATIONS})\b)", re.IGNORECASE)
_BEFORE_VERB = ("have", "just", "recently", "finally")
_WITH_AUTHOR = re.compile(
    r"^(?:me and (?P<one>(?:my |the )?[\w'-]+)|(?P<two>(?:my )?[\w' -]{1,30}?) and I)\s(?!(?:are|am) done\b|"
    r".{0,120}\b(?:different|separate|apart)\b)",
    re.IGNORECASE,
)


def statement_candidate(words: str, quote: str) -> Candidate:
    """The candidate of a statement in these words."""
    phrase = read_verb_phrase(words)
    kind, length = kind_of(words, phrase)
    key, value = (None, None) if phrase is None else kind.key_and_value(phrase, length)
    return Candidate(
        type=kind.type,
        subtype=kind.subtype,
        text=truncate_words(_text(words), MAX_TEXT_LENGTH),
        quote=quote,
        confidence=_CONFIDENCE_IN_WORDS if phrase is None else _CONFIDENCE,
        key=key,
        value=value,
        importance=kind.importance,
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
    subject, *said = words.split(" ")
    verb, *rest = dropwhile(_BEFORE_VERB.__contains__, [*said, ""])
    form = verb_form(verb.lower()) if subject.lower() == "they" and rest[:1] in (["me"], ["us"]) else None
    if form is None or not form.is_past:
        return None
    return " ".join([f"I was {inflect(form.lemma, 'VBN')}", *rest[1:]]).rstrip()
