"""Reads messages in the languages that have a folder in ``languages/`` beside English: word lists and rules, no code.

Only plain statements are read: a sentence that asks, supposes or quotes gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.reading.statements.rule import Rule, with_original_quote
from keepsake.domain.reading.statements.rules import RuleError, first_candidate, load_rules
from keepsake.domain.text import MAX_READ_LENGTH, normalize_words, shorten_runs, split_at_sentences, words

_MIN_WORDS = 2
_SHORT = 4
_KEYS = frozenset({
    "words", "verbs", "subject", "subjects", "fronted", "states", "am", "questions", "joins", "openings",
    "unreal", "pasted",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Language:
    """A language: the words that show it, how its sentences fall into clauses, and its rules."""

    code: str
    words: frozenset[str]
    verbs: frozenset[str]
    """Verbs of the first person: a clause that begins with one has left out its ``subject``."""
    subject: str
    states: frozenset[str]
    """What somebody is: a clause that begins with one has left out ``am``."""
    am: str
    inverted: re.Pattern[str]
    """A clause whose subject stands behind its verb."""
    question: re.Pattern[str]
    """Where a question begins behind a statement."""
    boundary: re.Pattern[str]
    opening: re.Pattern[str]
    """Words at the beginning of a sentence that say nothing."""
    unreal: frozenset[str]
    """Words of a sentence that supposes, doubts or asks."""
    pasted: frozenset[str]
    """Words of a message that brings a text to work on, which need not be the author's."""
    rules: tuple[Rule, ...]

    def is_spoken_in(self, text: str) -> bool:
        """Whether a text has enough words of this language."""
        said = words(text)
        return sum(word in self.words for word in said) >= (1 if len(said) <= _SHORT else _MIN_WORDS)

    def is_own_words(self, text: str) -> bool:
        """Whether all sentences of a text are in this language, and it brings no text to work on."""
        sentences = [sentence for sentence in split_at_sentences(text) if len(words(sentence)) > _MIN_WORDS]
        return not _says(text, self.pasted) and all(map(self.is_spoken_in, sentences))


def _says(text: str, phrases: frozenset[str]) -> bool:
    """Whether a text has one of these words, or sequences of words."""
    said = f" {normalize_words(text)} "
    return any(f" {phrase} " in said for phrase in phrases)


@cache
def languages() -> tuple[Language, ...]:
    """The languages beside English. Raises RuleError where a file is malformed."""
    folders = sorted(entry.name for entry in files(__package__).joinpath("languages").iterdir() if entry.is_dir())
    return tuple(map(_language, (name for name in folders if name != ENGLISH and not name.startswith("_"))))


def _language(code: str) -> Language:
    table = read_toml(f"languages/{code}/language.toml", __package__)
    if table.keys() != _KEYS:
        raise RuleError(f"{code}: missing or unknown names {sorted(table.keys() ^ _KEYS)}")
    compared = {name: frozenset(map(normalize_words, table[name])) for name in ("words", "unreal", "pasted")}
    return Language(
        code,
        verbs=frozenset(table["verbs"]),
        subject=table["subject"],
        states=frozenset(table["states"]),
        am=table["am"],
        inverted=re.compile(
            rf"{_any(table['fronted'])} (?P<verb>\w+) (?P<who>{_any(table['subjects'])}) (?P<rest>.+)", re.IGNORECASE
        ),
        question=re.compile(rf"[,;:] {_any(table['questions'])} ", re.IGNORECASE),
        boundary=re.compile("|".join(_boundaries(table)), re.IGNORECASE),
        opening=re.compile(rf"(?:{_any(table['openings'])}[,!]? )+", re.IGNORECASE),
        rules=load_rules(code),
        **compared,
    )


def _boundaries(table: dict[str, Any]) -> Iterator[str]:
    """Where a clause ends: before a subject, a verb that has left out its subject, or a state."""
    joins, subjects, verbs, states = (_any(table[name]) for name in ("joins", "subjects", "verbs", "states"))
    yield rf"(?:,| -|;)? {joins} (?={subjects} )"
    yield rf"[,;] (?={subjects} )"
    yield rf",? {joins} (?={verbs} )"
    yield rf",? {joins} (?={states}\b)"


def _any(entries: list[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, entries))})"


def brings_text(message: str) -> bool:
    """Whether a line of a message brings a text to work on, in other lines, which need not be the author's."""
    lines = message.strip().splitlines()
    return len(lines) > 1 and any(
        language.is_spoken_in(line) and _says(line, language.pasted) for line in lines for language in languages()
    )


def read_other_language(text: str) -> tuple[Candidate, ...]:
    """The candidates of a message in the first language that it is in, in the order said."""
    text = text[:MAX_READ_LENGTH]
    masked = mask_quoted_text(shorten_runs(text))
    for language in languages():
        if language.is_spoken_in(masked) and language.is_own_words(masked):
            found = (_candidate(language, clause) for clause in _clauses(language, masked))
            candidates = [with_original_quote(text, candidate) for candidate in found if candidate]
            return tuple({candidate.key: candidate for candidate in candidates if candidate}.values())
    return ()


def _clauses(language: Language, masked: str) -> Iterator[Clause]:
    """The clauses of the sentences that state something."""
    for whole in split_at_sentences(masked):
        sentence = _without_question(language, whole)
        if "?" in sentence or MASK in sentence or _says(sentence, language.unreal):
            continue
        opening = language.opening.match(sentence)
        for part in language.boundary.split(sentence[opening.end() if opening else 0 :]):
            quote = part.strip(" ,;:.!-")
            if quote and len(quote) <= MAX_CLAUSE_LENGTH:
                yield Clause(_with_subject(language, quote), quote)


def _without_question(language: Language, sentence: str) -> str:
    """The statement before the question that ends a sentence; the whole sentence where there is no such."""
    match = language.question.search(sentence) if sentence.endswith("?") else None
    return sentence[: match.start()] if match else sentence


def _with_subject(language: Language, said: str) -> str:
    """The words with the subject first, also where it was left out."""
    if match := language.inverted.match(said):
        return f"{match['who']} {match['verb']} {match['rest']}"
    first = said.partition(" ")[0].lower()
    if first in language.verbs:
        return f"{language.subject} {said}"
    return f"{language.am} {said}" if first in language.states else said


def _candidate(language: Language, clause: Clause) -> Candidate | None:
    candidate = first_candidate(language.rules, clause.words, clause)
    return None if candidate is None else replace(candidate, language=language.code)
