"""Finds the memories that a sentence names beside words by which something ends: "handed back the allotment".

The words fit whatever a memory is about. So the sentence is read with one sign in the place of the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.change_words import MAX_TARGETS, NEGATION, OF_OTHERS, WORDS
from keepsake.domain.merging.changes.endings.names_of_memory import names_of_memory
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.memory_kinds import kinds_of
from keepsake.domain.text import normalize_apostrophes

_NAME = "§"
_SIGNS = load_alternations("named_changes", __package__)
_ADVERBS = r"(?:(?:just|now|finally|officially|sadly|all|basically|definitely|already|also|has|have|had) ){0,2}"
_IS = rf"(?:(?:is|are|was|were|been|got) {_ADVERBS})"
_BEFORE, _AROUND, _AFTER, _DENIED, _OFF, _ANYWHERE = (
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_SIGNS['before']} {_SIGNS['determiners']}(?:[\w'-]{{1,30}} )?{_NAME}",
        rf"\b{_SIGNS['verbs_around']} {_SIGNS['determiners']}{_NAME} (?:[\w'-]{{1,30}} )?{_SIGNS['particles']}\b",
        rf"{_NAME}(?: (?!and\b)[\w'-]{{1,30}}){{0,2}} {_ADVERBS}(?:{_SIGNS['after']}|{_IS}{_SIGNS['states']})\b",
        rf"\b{_SIGNS['denied']}",
        rf"{_NAME} off(?: |$)",
        rf"\b{_SIGNS['anywhere']}\b",
    )
)
_NAMED = (_BEFORE, _AROUND, _AFTER, _DENIED, _OFF, _ANYWHERE)
_BY_PRONOUN = (_BEFORE, _AROUND, _AFTER, _OFF, _ANYWHERE)
_ENDING = re.compile(
    rf"\b(?:{_SIGNS['before']}|{_SIGNS['verbs_around']}|{_SIGNS['after']}|{_SIGNS['states']}|{_SIGNS['anywhere']}|not?|cannot|without|down|last|passed)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]{1,400}[.!?]?")
_WORD = re.compile(r"[\w'-]{1,60}")
_REPEATED_NAME = re.compile(rf"{_NAME}(?: (?:of )?{_NAME})+")
_NOT_SO = re.compile(rf"\b(?:{WORDS['not_so']}|{WORDS['long_ago']})\b", re.IGNORECASE)
_GOES_ON = re.compile(rf"\b{_SIGNS['goes_on']}\b", re.IGNORECASE)
_FOR_A_TIME = re.compile(rf"\b{_SIGNS['for_a_time']}\b", re.IGNORECASE)
_CONTRACTED = re.compile(
    r"\b(ca|wo|is|was|are|were|do|does|did|has|have|had|could|would|should)(?:nt|n't)\b", re.IGNORECASE
)
_VERBS = {"ca": "can", "wo": "will"}
_PASSING = re.compile(rf"\b{_SIGNS['passing']}\b", re.IGNORECASE)
_NOT_IN_WORDS = re.compile(r"[\"()*_ ]+")
_OF_ANOTHER = re.compile(rf"\b{_SIGNS['of_another']}", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|them|that one|there|he|she|him|they)\b", re.IGNORECASE)


def read_ending_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a message that have words by which something ends; a question has none."""
    return tuple(
        sentence
        for sentence in map(str.strip, _SENTENCE.findall(_spelled_out(text)))
        if not sentence.endswith("?") and _ENDING.search(sentence)
    )


def is_for_a_time(words: str) -> bool:
    """Whether words by which something ends say that it is only for a time, or goes on."""
    passing = _PASSING.search(words) is not None and _FOR_A_TIME.search(words) is not None
    return passing or _GOES_ON.search(words) is not None


def find_named_changes(
    sentences: Sequence[str], memories: Sequence[Memory], said_at: datetime, *, last: Sequence[UUID] = ()
) -> Iterator[Memory]:
    """The memories that one of these sentences names as ended; none where it names many.

    ``last`` are those of the message before: a pronoun may stand for them.
    """
    for sentence in sentences:
        named = [
            memory
            for memory in memories
            if may_change(memory, said_at)
            and "taste" not in kinds_of(memory)
            and not NEGATION.search(memory.text)
            and _says_ended(sentence, memory, is_last=memory.id in last)
            and happened_since(sentence, memory, said_at)
        ]
        if len(named) <= MAX_TARGETS:
            yield from named


def _spelled_out(text: str) -> str:
    """The text with straight apostrophes, "not" as a word of its own, and no other word like the sign of a name."""
    normalized = normalize_apostrophes(text).replace(_NAME, " ")
    spelled = _CONTRACTED.sub(lambda match: f"{_VERBS.get(match[1].lower(), match[1])} not", normalized)
    return _NOT_IN_WORDS.sub(" ", spelled.replace("can not", "cannot"))


def _says_ended(sentence: str, memory: Memory, *, is_last: bool) -> bool:
    """Whether the sentence has words by which what names the memory has ended, for good, and of the author."""
    names = names_of_memory(memory)
    marked = _mark(sentence, names)
    if _NAME in marked:
        return _has_ending(marked, _NAMED)
    return is_last and bool(names) and _has_ending(_PRONOUN.sub(_NAME, sentence), _BY_PRONOUN)


def _has_ending(marked: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    """Whether a sentence with a sign in the place of a name says that what it names has ended."""
    if _NAME not in marked or is_for_a_time(marked) or _OF_ANOTHER.search(marked):
        return False
    for match in filter(None, (pattern.search(marked) for pattern in patterns)):
        before = marked[: match.start()]
        if not (OF_OTHERS.search(before) or _NOT_SO.search(before)):
            return True
    return False


def _mark(sentence: str, names: frozenset[str]) -> str:
    """The sentence with a sign in the place of the words that name the memory."""

    def marked(match: re.Match[str]) -> str:
        word = match[0].lower()
        owner = word.removesuffix("'s")
        if names.isdisjoint(content_words(owner)):
            return match[0]
        return f"{_NAME}'s" if owner != word else _NAME

    return _REPEATED_NAME.sub(_NAME, _WORD.sub(marked, sentence.replace(",", " ,"))).replace(" ,", "")
