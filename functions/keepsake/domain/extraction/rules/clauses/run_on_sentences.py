"""Finds where a sentence without a full stop goes on with another one: "I live in Leeds | I'm a nurse".

People who dictate write so. It is split only where what follows has a subject and a verb of its own, what stands before
is whole, and no word before leads on to it: of "the city we live in" and "I think he's a cook" nothing is split.
"""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations, load_sections

_WORDS = load_alternations("run_on_sentences")
_SECTIONS = {section: frozenset(words) for section, words in load_sections("run_on_sentences").items()}
_NO_SPLIT = re.compile(rf"\b{_WORDS['no_split']}\b", re.I)
_START = re.compile(rf"(?<=\w) (?={_WORDS['starts']})", re.I)
_START_AFTER_TIME = re.compile(rf"(?<=\w) (?={_WORDS['starts_after_time']})", re.I)
_TIME_WORD = re.compile(rf"\b{_WORDS['time_words']}$", re.I)
_INTRODUCTION = re.compile(r"(?:^| )(?:I am|I'm|im|my name is|my name's) (?P<name>\w{2,20})$", re.I)
_AGE_OF_ANOTHER = re.compile(
    r" (?P<last>\w{2,20}) (?=[A-Z][a-z]{1,15} (?:is|just turned|turned) (?:\d{1,2}|[a-z]{3,9})\b)"
)
_SUBJECT_SAID_TWICE = re.compile(r"\b(?:my|our) \w{2,20}(?: \w{2,20})?$", re.I)
"""In "my brother he's a clown" the pronoun takes up the subject before it."""
_WORD = re.compile(r"[\w']+")
_MIN_WORDS = 3
_MAX_TO_REPORT = 4


@lru_cache(maxsize=64)  # once for the clauses and once for the statements of a message
def split_points(sentence: str) -> tuple[int, ...]:
    """The indexes at which another sentence begins, in order."""
    if _NO_SPLIT.search(sentence):
        return ()
    found = {match.end() for match in _START.finditer(sentence) if _follows_sentence(sentence[: match.start()])}
    found |= {match.end() for match in _START_AFTER_TIME.finditer(sentence) if _ends_in_time(sentence[: match.start()])}
    ages = (match for match in _AGE_OF_ANOTHER.finditer(sentence) if match["last"].lower() in _SECTIONS["several"])
    found |= {match.end() for match in ages}
    return tuple(sorted(found))


def _follows_sentence(before: str) -> bool:
    """Whether what stands before a new sentence is one itself, and does not lead on to it."""
    words = _WORD.findall(before)
    name = _INTRODUCTION.search(before)
    if name is not None:
        return not any(known_lemmas(name["name"].lower(), part) for part in ("VERB", "ADJ", "ADV"))
    if _SUBJECT_SAID_TWICE.search(before):
        return False
    return len(words) >= _MIN_WORDS and not _leads_on(words) and _has_verb(words) and not _is_opening(words)


def _is_opening(words: list[str]) -> bool:
    """Whether the words only say when or where: "in the summer", whose last word may be a verb elsewhere."""
    lower = [word.lower().partition("'")[0] for word in words]
    return lower[0] in _SECTIONS["openings"] and _SECTIONS["subjects"].isdisjoint(lower)


def _ends_in_time(before: str) -> bool:
    words = _WORD.findall(before)
    is_statement = len(words) > _MIN_WORDS and not _leads_on(words[:-1]) and _has_verb(words)
    return is_statement and _TIME_WORD.search(before) is not None


def _leads_on(words: list[str]) -> bool:
    """Whether the next clause belongs to the last words ("told Ana I'm allergic")."""
    last = [word.lower() for word in words[-_MAX_TO_REPORT:]]
    return last[-1] in _SECTIONS["leads_on"] or not _SECTIONS["reports"].isdisjoint(last)


def _has_verb(words: list[str]) -> bool:
    """Whether a word after the first may be a verb, or is contracted with one."""
    lower = [word.lower() for word in words]
    may_be = any(known_lemmas(word, "VERB") or known_lemmas(word, "AUX") for word in lower[1:])
    return may_be or any("'" in word for word in lower)
