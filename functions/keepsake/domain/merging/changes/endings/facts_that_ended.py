"""Reads by its grammar what a clause says has ended: what was sold or quit, or who has died or moved out."""

from __future__ import annotations

from collections.abc import Iterator

from keepsake.domain.english.calendar_words import WEEKDAYS
from keepsake.domain.extraction.rules.grammar.verb_phrase import (
    Subject,
    Tense,
    VerbPhrase,
    bare_words,
    read_verb_phrase,
)
from keepsake.domain.extraction.rules.grammar.word_forms import CLASSES, is_in, verb_form

_OVER = (Tense.PAST, Tense.PERFECT)
_MAX_OBJECT = 5
_HEADS = frozenset(
    verb.partition(" ")[0] for section in ("ending_verbs", "ending_by_itself") for verb in CLASSES[section]
)
_ARTICLES = frozenset({"rid", "a", "an", "the", "my", "our", "of", "with", "from", "out", "off", "up", "me", "us"})


def has_ending_verb(text: str) -> bool:
    """Whether a message has a verb by which something ends."""
    return any((form := verb_form(word)) is not None and form.lemma in _HEADS for word in bare_words(text))


def read_ended_by_verb(words: str) -> Iterator[str]:
    """The words that name what has ended; mostly none."""
    phrase = _read_over(words)
    if phrase is None or phrase.rest[:1] == ("another",):
        return
    if phrase.subject is Subject.AUTHOR and is_in("ending_verbs", *phrase.verb_forms):
        yield _named(phrase)
    elif phrase.subject is not Subject.AUTHOR and is_in("ending_by_itself", *phrase.verb_forms):
        yield phrase.owner
    elif {"me", "us"}.intersection(phrase.rest[:1]) and phrase.rest[1:2] == ("off",):
        yield _named(phrase)


def _read_over(words: str) -> VerbPhrase | None:
    """The grammar of a clause that says that something happened; None where it does not."""
    phrase = read_verb_phrase(words)
    return None if phrase is None or phrase.tense not in _OVER or phrase.is_negated else phrase


def _named(phrase: VerbPhrase) -> str:
    """The words of the object, as far as they name something."""
    words = phrase.rest
    while words and words[0] in _ARTICLES:
        words = words[1:]
    for index, word in enumerate(words):
        if word in ("to", "onto", "for", "because", "so", "and", "in", "at", "on", "last", "into", *WEEKDAYS):
            return " ".join(words[:index])
    return " ".join(words[:_MAX_OBJECT])
