"""Reads what a message says about a change: of its author's life, of somebody known by name, a birth, a denial, a joke.

Which part of a life a sentence changes, ``life_change_classifier`` tells; here is which sentences it is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import dropwhile, pairwise
from typing import ClassVar
from uuid import UUID

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.grammar.word_forms import is_noun
from keepsake.domain.english.kinship import PARTNERS, kinship_of
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.reading.changes.life_change_classifier import MIN_COMPARED, changed_parts
from keepsake.domain.reading.clauses.normalize_clause import filler_length
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.text import (
    MAX_READ_LENGTH,
    normalize_apostrophes,
    shorten_runs,
    split_at_sentences,
    word_set,
    words,
)

_PHRASES = load_sections("changes", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _PHRASES.items()}
_AUTHOR = word_set("i i'm i've my me we we've our")
_TOGETHER = "me and "
_GIVING = word_set("gave given")
_PRONOUNS = word_set("she he they it her his their this that these those")
_BEING = ("i'm ", "im ", "i am ", "we're ", "were ", "we are ")
"""What one is now, only the rest of the sentence says for how long: "we're in Denver now, the hotel is nice"."""
_MAX_LENGTH, _MAX_WORDS = 300, 30
_MAX_SENTENCES = 4
_MAX_STATEMENTS = 10
_REFERS_BACK_WITHIN = timedelta(hours=1)
_MIN_FIRST = 3
"""Words with which a sentence may have said what has changed, before a reason that would hide it."""
_BREAK, _MAX_BREAKS = re.compile(r"[.,;!?:\n]+| - "), 5
_FEW_WORDS = 2
"""So few words do not tell in which language they are."""
_NEAR = 4
"""Words between who says something and "says", or between a birth and the child."""


@dataclass(frozen=True, slots=True)
class ChangeStatement:
    """A clause or sentence, and what it may say about stored memories."""

    OURS: ClassVar[str] = "our"

    clause: Clause
    last: tuple[UUID, ...] = ()
    """The memories of the message before, which a pronoun may stand for."""
    denied: str = ""
    """What the author denies of what the assistant says of them."""
    birth: str = ""
    """Whose child the clause says was born or lost: ``OURS`` for the author and the partner, or who had it."""
    is_lost: bool = False
    """That child was lost."""
    taken_back: tuple[UUID, ...] = ()
    """Memories of the message before that were a joke."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts of the author's life that may have changed, as a classifier reads the sentence, with probabilities."""

    @property
    def subject(self) -> tuple[str, str, str]:
        """What stands before the first word, where it is behind "me and", this as a name is written, and the rest."""
        before, said = "", self.clause.words
        if said.casefold().startswith(_TOGETHER):
            before, said = said[: len(_TOGETHER)], said[len(_TOGETHER) :]
        name = said.partition(" ")[0].removesuffix("'s")
        return before, name, said[len(name) :]


def may_be_change(text: str) -> bool:
    """Whether a message may tell a change or correct something; True where it is not in English: that tells nothing."""
    said = words(text)
    is_correction = not _WORDS["corrections"].isdisjoint(said) or any(word.endswith("n't") for word in said)
    return is_correction or is_unreadable(text) or any(map(changed_parts, read_life_sentences(text)))


def read_changes(text: str, *, said_at: datetime, recent: Sequence[Memory] = ()) -> tuple[ChangeStatement, ...]:
    """What a message says that may change stored memories; most messages say nothing of that kind."""
    seen = shorten_runs(text[:MAX_READ_LENGTH])
    last = [memory for memory in recent if memory.last_said_at == recent[0].last_said_at]
    if last and said_at - last[0].last_said_at > _REFERS_BACK_WITHIN:
        last = []
    found = [*_denials(seen), *_of_others(seen), *_taken_back(seen, last)]
    ids = tuple(memory.id for memory in last)
    of_life = (
        ChangeStatement(Clause(words=sentence, quote=sentence), last=ids, parts=parts)
        for sentence in dict.fromkeys(read_life_sentences(text))
        if (parts := changed_parts(sentence, minimum=MIN_COMPARED))
    )
    return (*found[:_MAX_STATEMENTS], *of_life)


def read_life_sentences(text: str) -> tuple[str, ...]:
    """The sentences that may tell a change, what they begin with, and two short ones as one; no questions or wishes."""
    if len(text.split()) > _FEW_WORDS and is_unreadable(text):
        return ()
    masked = mask_quoted_text(text[:MAX_READ_LENGTH])
    return tuple(one for one in _candidates(masked) if _may_state_change(one))[:_MAX_SENTENCES]


def begins_with_another(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun for what it does not name, or with a relative who is no partner."""
    said = [*dropwhile(lambda word: filler_length(f"{word} that") > 0 or word == "and", words(sentence))][:3]
    if said and said[0].partition("'")[0] in _PRONOUNS and said[1:2] != ["days"]:
        return True
    relations = [relation for word in said[1:] if (relation := kinship_of(word))]
    return said[:1] in (["my"], ["our"]) and bool(relations) and PARTNERS.isdisjoint(relations)


def _candidates(text: str) -> Iterator[str]:
    sentences = split_at_sentences(text)
    for sentence in sentences[: 2 * _MAX_SENTENCES]:
        yield sentence
        first, comma, _ = sentence.partition(", ")
        if comma and len(first.split()) >= _MIN_FIRST and not _joined_words(first).startswith(_BEING):
            yield first
    if len(sentences) == 2 and len(text.split()) <= _MAX_WORDS:
        yield text.strip()


def _may_state_change(sentence: str) -> bool:
    is_question = "?" in sentence and not any(map(str.isalnum, sentence.rpartition("?")[2]))
    is_readable = len(sentence) <= _MAX_LENGTH and MASK not in sentence and any(map(str.isalpha, sentence))
    has_day = names_day(sentence) and "since" not in words(sentence)
    is_passing = _has("passing", sentence) and (_has("moments", sentence) or has_day)
    is_same = _has("no_change", sentence) and not _has("instead", sentence)
    return is_readable and not (is_question or is_passing or is_same)


def _joined_words(text: str) -> str:
    """The words of a text in lower case, one space between them."""
    return " ".join(words(text))


def _has(section: str, text: str) -> bool:
    """Whether a text has one of the words or phrases of a section; "." stands for its end."""
    said = f" {_joined_words(text)} . "
    return any(f" {phrase} " in said for phrase in _PHRASES[section])


def _of_others(text: str) -> Iterator[ChangeStatement]:
    """The clauses about a birth or the loss of a child, or about somebody who may be known by name."""
    if is_unreadable(text):
        return
    is_born_now = not _has("not_born_now", text)
    for clause in clauses(text):
        said = words(clause.words)
        birth, is_lost = _read_birth(said) if is_born_now else "", not _WORDS["lost"].isdisjoint(said)
        statement = ChangeStatement(clause, birth=birth, is_lost=is_lost)
        if statement.birth or _may_be_name(statement.subject[1]):
            yield statement


def _may_be_name(word: str) -> bool:
    return bool(content_words(word)) and (word[0].isupper() or is_noun(word))


def _read_birth(said: list[str]) -> str:
    """Whose child a clause says was born or lost: ``OURS``, or words for the mother; empty where it says neither."""
    at = next((at for at, word in enumerate(said) if word in _WORDS["born"]), len(said) - 1)
    before, after = said[:at], said[at + 1 :]
    if not before or before[0] in _WORDS["not_ours"] or any(word.endswith("'s") for word in before):
        return ""
    if said[at] in ("born", "arrived", "is"):  # a clause does not have the "here" of "our baby is here"
        is_ours = before[0] in ("my", "our", "baby") and not _WORDS["child"].isdisjoint(before[:3])
        return ChangeStatement.OURS if is_ours and (said[at] != "is" or not after) else ""
    child, *behind = [*dropwhile(_WORDS["before_child"].__contains__, after)] or [""]
    is_counted = not child and after[:1] == ["our"]  # "we had our third"
    children = _WORDS["lost_child" if said[at] == "lost" else "child"]
    is_child = is_counted or (child in children and (not behind or behind[0] in _WORDS["behind_child"]))
    is_birth = before[-1] in _GIVING if said[at] == "birth" else is_child or said[at] == "miscarried"
    if not is_birth or any(word.endswith("n't") or word == "not" for word in before):
        return ""
    is_ours = before[0] in ("i", "we") or not PARTNERS.isdisjoint(filter(None, map(kinship_of, before)))
    return ChangeStatement.OURS if is_ours else " ".join(word for word in before if word not in _GIVING)


def _taken_back(text: str, last: Sequence[Memory]) -> Iterator[ChangeStatement]:
    """The memories of the message before, where this one begins with words that it was a joke or is not so."""
    said = [*map(words, _BREAK.split(normalize_apostrophes(text), maxsplit=_MAX_BREAKS))] if last else [[]]
    said = [[*dropwhile(_WORDS["laughs"].__contains__, part)] for part in said]
    joke, *others = [part for part in said if part] or [[]]
    if joke[:1] == ["jk"]:  # "jk i don't have a dog"
        joke, others = joke[:1], [joke[1:], *others]
    named = content_words(" ".join(word for part in others for word in part))
    ids = tuple(one.id for one in last if not named or named & content_words(one.text))
    if ids and " ".join(joke) in _WORDS["jokes"]:
        yield ChangeStatement(Clause(words="", quote=text), taken_back=ids)


def _denials(text: str) -> Iterator[ChangeStatement]:
    """What a message denies of what the assistant says of its author: "You said I have a dog. That was my cousin"."""
    for sentence, following in pairwise((*split_at_sentences(text), "")):
        said = words(sentence)
        says = next((at for at, word in enumerate(said) if word in _WORDS["says"]), len(said))
        is_said = not _WORDS["sayers"].isdisjoint(said[max(0, says - _NEAR) : says])
        rest = " ".join(dropwhile(lambda word: word not in _AUTHOR, said[says + 1 :])) if is_said else ""
        if rest and (_has("denied", rest) or _has("denied", following)):
            yield ChangeStatement(Clause(words=rest, quote=text), denied=rest)
        for phrase in _PHRASES["disowned"]:
            if denied := " ".join(said).partition(f"{phrase} ")[2]:
                yield ChangeStatement(Clause(words=denied, quote=text), denied=denied)
