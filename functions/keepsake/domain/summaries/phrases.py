"""The phrases of a summary without a model: what is stored, as it stands in the middle of a sentence, with its day.

"Wants to run a marathon" becomes "to run a marathon" among plans, "Feels tired" becomes "tired" among feelings. Nothing
else of the words is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from itertools import groupby, takewhile
from typing import Protocol

from keepsake.domain.context.outline import Item
from keepsake.domain.english.dates import present_words_pattern
from keepsake.domain.english.inflection import base_phrase
from keepsake.domain.english.join_predicates import enumerate_items
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.lemmas import inflect, known_lemmas, known_tags, verb_tags
from keepsake.domain.english.load_word_lists import load_lines, load_words
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.extraction.grounding import STOPWORDS, content_stems
from keepsake.domain.reading.message import is_unreadable
from keepsake.domain.summaries.compose_sentences import DateWords, in_quotes
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import stem
from keepsake.domain.text import words as words_of

_FEELING = re.compile(r"^(?:feels?|felt|is feeling|is|was) (?=\w)", re.IGNORECASE)
_PLAN = re.compile(r"^(?:wants|plans|hopes|intends|would like|(?:the )?goal is) (?=to \w)", re.IGNORECASE)
_PROGRESS = re.compile(r"^is (?=\w+ing )", re.IGNORECASE)
_NO_MORE = re.compile(r"^no longer |\bany ?more\b", re.IGNORECASE)
_ARTICLES = frozenset({"a", "an", "the"})
_MIN_SUBJECT = 4
_MAX_SUBJECT = 5
_MAX_DAYS = 4
_FIRST_WORD = re.compile(r"(?P<word>[A-Z][a-z]+)(?P<owns>['’]s\b)?(?![\w'’-])")
_ON_DAY = re.compile(rf" on (?:{'|'.join(WEEKDAYS)}) \d{{1,2}} (?:{'|'.join(MONTHS)}) \d{{4}}$", re.IGNORECASE)


class _Memory(Protocol):
    """What has words, and perhaps a name in them."""

    @property
    def text(self) -> str: ...
    @property
    def entity_label(self) -> str | None: ...


def bare(memories: Iterable[_Memory]) -> list[str]:
    """The words of memories, as they stand in the middle of a sentence."""
    return [lower_first(one.text, one.entity_label) for one in memories]


def plan(text: str, label: str | None) -> str:
    """What was planned, without the wanting: "to learn Greek" of "Wants to learn Greek" and of "Is learning Greek"."""
    planned = _PLAN.sub("", lower_first(text, label))
    in_progress = _PROGRESS.match(planned)
    return f"to {base_phrase(planned[in_progress.end() :])}" if in_progress else planned


def is_planned(text: str) -> bool:
    """Whether a text says what the person wants to do."""
    return _PLAN.match(text) is not None


def change(text: str, before: str, label: str | None) -> str:
    """What is so, and what was so or planned before, without the words that both have at their ends."""
    now, old = (lower_first(one, label) for one in (text, before))
    if is_planned(before) and not is_planned(text):
        return f"{now} (the plan was {plan(before, label)})"
    different = _different_words(now.split(), old.split())
    if different is None or any(mark in now for mark in ",;(") or _NO_MORE.search(now):
        return now if different and different in now else f"{now} (before: {old})"
    return f"{now} instead of {different}"


def _different_words(now: Sequence[str], old: Sequence[str]) -> str | None:
    """The words of the old statement that the new one has others for; None where they do not begin alike."""
    start, end = _same(now, old), _same(now[::-1], old[::-1])
    end = 0 if start + end >= min(len(now), len(old)) else end
    if not start or start in (len(now), len(old)):
        return None
    start -= old[start - 1] in _ARTICLES and start > 1
    return " ".join(old[start : len(old) - end])


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two statements have in common at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def subjects(text: str) -> frozenset[str]:
    """The stems of the words that name things: not the short ones, and none that may be a verb."""
    found = (word for word in words_of(text) if len(word) >= _MIN_SUBJECT and word not in STOPWORDS)
    return frozenset(stem(word) for word in found if known_lemmas(word, "NOUN") and not known_lemmas(word, "VERB"))


def is_predicate(text: str, label: str | None) -> bool:
    """Whether a text says something of the person without naming them: "Has a dog", and not "Anna has a dog"."""
    first, _, rest = lower_first(text, label).partition(" ")
    if first in load_words("predicate_openings", __package__):
        return True
    following = rest.partition(" ")[0]
    has_verb = following in load_words("finite_verbs") or following in load_words("reports", __package__)
    if first != first.lower() or kinship_of(first) or has_verb:
        return False
    return _is_third_person(first) or _begins_in_past(first)


def split_subject(text: str) -> tuple[str, str]:
    """The subject of a clause and what is said of it: "brother Gene", "is 73"; no subject where none is found."""
    tokens = text.split()
    for index, token in enumerate(tokens[1:_MAX_SUBJECT], 1):
        if token in load_words("finite_verbs") or (token.islower() and _is_third_person(token)):
            return " ".join(tokens[:index]), " ".join(tokens[index:])
    return "", text


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and "VBZ" in verb_tags(word)


def with_owner(text: str, name: str) -> str:
    """The text with whose relative it is about, where it begins with one: "Ada's mum fainted"."""
    first, _, rest = text.partition(" ")
    return f"{name}'s {first.lower()} {rest}" if name and kinship_of(first.lower()) else text


def over(memory: _Memory) -> str:
    """What is so no more: "no longer has a garden"; what tells only what was done is quoted."""
    text = lower_first(memory.text, memory.entity_label)
    first, _, rest = text.partition(" ")
    begun = _entry_pattern().match(text)
    if begun is not None:
        return f"no longer has {_ON_DAY.sub('', text[begun.end() :])}"
    if first in ("is", "was") and rest:
        return f"is no longer {rest}"
    if first in load_words("states", __package__):
        return f"is no longer {text}"
    if is_predicate(memory.text, memory.entity_label) and _is_third_person(first) and first != "does":
        return f"no longer {text}"
    return f"{in_quotes(memory.text)} no longer holds"


def is_past(text: str) -> bool:
    """Whether a phrase or a clause says what happened: its first verb is in the past."""
    subject, said = split_subject(text)
    first = (said if subject and not _begins_in_past(text) else text).partition(" ")[0]
    return first in {"was", "were", "had"} or _begins_in_past(first)


def _begins_in_past(text: str) -> bool:
    """Whether a phrase begins with a verb in the past."""
    first = text.partition(" ")[0]
    lemmas = known_lemmas(first, "VERB")
    is_past = any("VBD" in known_tags(first, lemma) for lemma in lemmas if lemma != first)
    return is_past and first not in load_words("beginnings", __package__)


@cache
def _entry_pattern() -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, load_lines("entry_phrases", __package__)))
    return re.compile(rf"(?:{phrases}) (?=(?:an?|the|their|\d+|two|three|four) )")


def is_stop(memory: _Memory) -> bool:
    """Whether a memory says what the person has given up."""
    return _stop_pattern().match(memory.text) is not None


def is_negation(memory: _Memory) -> bool:
    """Whether a memory says what is so no more."""
    return is_stop(memory) or _NO_MORE.search(memory.text) is not None


def leave_out_covered(negations: Iterable[SourceMemory], ended: Iterable[SourceMemory]) -> list[SourceMemory]:
    """The memories that something is no longer so, each thing once, without those that are listed as ended anyway."""
    covered = [content_stems(one.text) for one in ended]
    left = []
    for one in negations:
        about = content_stems(_NO_MORE.sub("", _stop_pattern().sub("", one.text)))
        if not any(about & other for other in covered):
            left.append(one)
            covered.append(about)
    return left


@cache
def _stop_pattern() -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, load_lines("stop_phrases", __package__)))
    return re.compile(rf"(?:{phrases}) (?=\w)", re.IGNORECASE)


def feelings(memories: Iterable[SourceMemory], words: DateWords | None) -> list[Item]:
    """Each feeling, with its days where there are words for them."""
    days: dict[str, list[date]] = {}
    for one in memories:
        days.setdefault(_FEELING.sub("", _phrase(one)), []).append(one.day)
    if words is None:
        return [Item(text, text) for text in days]
    return [Item(f"{text} ({_enumerate_days(on, words)})", text) for text, on in days.items()]


def is_felt(memory: SourceMemory) -> bool:
    """Whether a memory says how the person felt ("feels tired"); "misses Miso" says what they did.

    What is not English says it in a sentence of its own.
    """
    first = memory.text.partition(" ")[0].lower()
    is_done = _is_third_person(first) or _begins_in_past(first)
    is_phrase = _FEELING.match(memory.text) is not None or not (is_done or is_unreadable(memory.text))
    return memory.is_feeling and is_phrase


def in_past(text: str) -> str:
    """What the person felt toward somebody, as it was: "missed Miso" of "misses Miso"."""
    first, _, rest = text.partition(" ")
    lemma = next(iter(known_lemmas(first, "VERB")), None)
    return f"{inflect(lemma, 'VBD')} {rest}".strip() if lemma and _is_third_person(first) else text


def _enumerate_days(days: Iterable[date], words: DateWords) -> str:
    unique = list(dict.fromkeys(map(words, days)))
    shown = unique if len(unique) <= _MAX_DAYS else [*unique[:_MAX_DAYS], f"{len(unique) - _MAX_DAYS} more"]
    return enumerate_items(shown)


def shifts(memories: Iterable[SourceMemory], words: DateWords) -> list[str]:
    """The feelings of each day, in the order of the days: "Monday: tired, happy"."""
    days = groupby(memories, key=lambda one: one.day)
    return [f"{words(day)}: {', '.join(one.text for one in feelings(some, None))}" for day, some in days]


def _phrase(memory: SourceMemory) -> str:
    return lower_first(memory.text, memory.entity_label)


def lower_first(text: str, label: str | None) -> str:
    """The text without its last period and "now", with a small first letter where its first word is no name."""
    bare = _present_pattern().sub("", " ".join(text.split()).rstrip(". "))
    first = _FIRST_WORD.match(bare)
    if first is None or first["word"] in (label or "").split():
        return bare
    if not _is_common(first["word"].lower(), owns=first["owns"] is not None):
        return bare
    return f"{bare[0].lower()}{bare[1:]}"


@cache
def _present_pattern() -> re.Pattern[str]:
    """Words that say that something is so when it is said: a summary is read later, and says on which day it was."""
    return present_words_pattern(load_lines("present_words", __package__))


def _is_common(word: str, *, owns: bool) -> bool:
    """Whether a word is a verb, a relation or another one with which memories begin, and so no name.

    A verb owns nothing: "Grace's" is a name.
    """
    is_verb = not owns and bool(known_lemmas(word, "VERB"))
    return bool(word in load_words("beginnings", __package__) or is_verb or kinship_of(word))
