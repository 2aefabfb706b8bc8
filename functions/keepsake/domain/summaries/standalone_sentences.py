"""Whether a sentence of a person can be read alone: it has a subject and a verb, and points at nothing outside of it.

"Surgery on the 6th" is of somebody whom only the sentences before name, "she is staying" too; "called and said yes" is
what the person did only where nobody else was spoken of. Of languages whose verbs are not known, less is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import dropwhile

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import PartOfSpeech, known_lemmas
from keepsake.domain.english.past_tense import begins_in_past, is_finite
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries.summary_words import SummaryWords
from keepsake.domain.text import TITLES, normalize_apostrophes, words

_MIN_WORDS = 3
_MAX_SUBJECT = 5
"""Words among which a sentence has its verb."""
_KINDS: Sequence[PartOfSpeech] = ("NOUN", "VERB", "ADJ", "ADV")
_INDEFINITE = frozenset({"somebody", "someone", "everybody", "everyone", "nobody"})
_CALENDAR = frozenset([*WEEKDAYS, *(month.lower() for month in MONTHS)])


def stands_alone(sentence: str, spoken: SummaryWords, names: Collection[str], *, may_omit_subject: bool) -> bool:
    """Whether a sentence can be read alone; ``names`` are in small letters."""
    said = words(normalize_apostrophes(sentence))
    if len(said) < _MIN_WORDS or any(map(spoken.is_unclear, said)):
        return False
    said = [*dropwhile(spoken.is_opening, said)]
    if not spoken.is_english:
        return not spoken.say("verbs") or _has_listed_verb(sentence, said, spoken)
    return bool(said) and (_has_clause(said, spoken, names) or (may_omit_subject and _is_past_of_author(said, names)))


def names_others(text: str, spoken: SummaryWords, names: Collection[str]) -> bool:
    """Whether a text is about others too: what is said next without a subject may be of them."""
    said = words(normalize_apostrophes(text))
    return any(spoken.is_third_person(one) or _is_person(one, names) or _is_unknown(one) for one in said)


def is_about_person(sentence: str, spoken: SummaryWords, names: Collection[str]) -> bool:
    """Whether a sentence begins with somebody who is named or close: "Rosa moves out", "my aunt is here"."""
    before = (spoken.is_opening, spoken.is_of_author, spoken.is_article)
    said = [*dropwhile(lambda one: any(is_before(one) for is_before in before), words(sentence))]
    return bool(said) and (_is_person(said[0], names) or (spoken.is_english and _is_unknown(said[0])))


def _has_clause(said: Sequence[str], spoken: SummaryWords, names: Collection[str]) -> bool:
    first, *rest = said
    if spoken.is_author(first):
        has_verb = any(known_lemmas(one, "VERB") or is_finite(one) for one in said[:_MAX_SUBJECT])
        return has_verb and any(_is_content(one) for one in rest)
    is_of_author = any(map(spoken.is_of_author, rest))
    is_owned = is_of_author and bool(known_lemmas(first, "NOUN"))
    if not (_is_person(first, names) or _is_unknown(first) or spoken.is_article(first) or is_owned):
        return False
    begin = 1 if spoken.is_article(first) else 0
    return any(map(_is_verb, rest[begin:_MAX_SUBJECT]))


def _is_content(word: str) -> bool:
    return bool(known_lemmas(word, "NOUN") or known_lemmas(word, "ADJ")) or _is_unknown(word) or word[0].isdigit()


def _is_unknown(word: str) -> bool:
    """Whether it is no word of the language, and so a name that came up once."""
    return word.isalpha() and word not in STOPWORDS | _CALENDAR and not any(known_lemmas(word, kind) for kind in _KINDS)


def _is_past_of_author(said: Sequence[str], names: Collection[str]) -> bool:
    """Whether it begins with what was done: "played the Swan", "called Frank and said yes"."""
    is_about = any(one in names or (known_lemmas(one, "NOUN") and len(one) > _MIN_WORDS) for one in said[1:])
    return len(said) > _MIN_WORDS and is_about and begins_in_past(said[0]) and not known_lemmas(said[0], "ADJ")


def _has_listed_verb(sentence: str, said: Sequence[str], spoken: SummaryWords) -> bool:
    """The same in a language of which the commonest verbs are listed."""
    if any(map(spoken.is_author, said)):
        return True
    is_known = any(map(spoken.is_of_author, said)) or not is_sensitive_topic(sentence)
    return is_known and any(map(spoken.is_verb, said))


def _is_person(word: str, names: Collection[str]) -> bool:
    base = word.removesuffix("'s")
    is_named = base in names or base in TITLES or base in _INDEFINITE
    return base not in _CALENDAR and (is_named or kinship_of(base) is not None)


def _is_verb(word: str) -> bool:
    return is_finite(word.removesuffix("n't")) or (
        word.endswith(("n't", "nt")) and is_finite(word[:-2].removesuffix("n"))
    )
