"""Reads messages in the languages that have a folder in ``languages/`` beside English: word lists and rules, no code.

Only plain statements are read: a sentence that asks, supposes or quotes gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from keepsake.domain.english.patterns.pattern_file import read_row, read_toml
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.reading.statements.rule import Rule, with_original_quote
from keepsake.domain.reading.statements.rules import RuleError, first_candidate, load_rules
from keepsake.domain.text import MAX_READ_LENGTH, normalize_words, shorten_runs, split_at_sentences, words

_MIN_WORDS = 2
_SHORT = 4
_MARKS = (",", ";", ":", "-")
_MAX_PHRASE = 60
"""Characters of the longest entry of a list."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language: the words that show it, how its sentences fall into clauses, and its rules."""

    code: str
    words: frozenset[str]
    subjects: tuple[str, ...]
    """What a clause begins with."""
    left_out: Mapping[str, str]
    """What is left out before a word at the beginning of a clause: "ich" before "wohne"."""
    fronted: tuple[str, ...]
    """Behind which the subject stands after the verb."""
    questions: tuple[str, ...]
    """What begins a question behind a statement."""
    joins: tuple[str, ...]
    openings: tuple[str, ...]
    """Words at the beginning of a sentence that say nothing."""
    unreal: tuple[str, ...]
    """Words of a sentence that supposes, doubts or asks."""
    pasted: tuple[str, ...]
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


def _says(text: str, phrases: Iterable[str]) -> bool:
    """Whether a text has one of these words, or sequences of words."""
    said = f" {normalize_words(text)} "
    return any(f" {normalize_words(phrase)} " in said for phrase in phrases)


def _begins(text: str, phrases: Iterable[str]) -> str:
    """The phrase with which a text begins; the empty text where there is none."""
    said = text[:_MAX_PHRASE].lower()
    return next((one for one in phrases if said.startswith(one) and not said[len(one) :][:1].isalnum()), "")


@cache
def languages() -> tuple[Language, ...]:
    """The languages beside English. Raises RuleError where a file is malformed."""
    folders = sorted(entry.name for entry in files(__package__).joinpath("languages").iterdir() if entry.is_dir())
    return tuple(map(_language, (name for name in folders if name != ENGLISH and not name.startswith("_"))))


def _language(code: str) -> Language:
    table = read_toml(f"languages/{code}/language.toml", __package__)
    left_out = {word: before for before, entries in table["left_out"].items() for word in entries}
    shown_by = frozenset(map(normalize_words, table["words"]))
    try:
        return read_row(Language, table, code=code, words=shown_by, left_out=left_out, rules=load_rules(code))
    except ValueError as fault:
        raise RuleError(f"{code}: {fault}") from fault


def language_of(text: str) -> str:
    """The code of the first language that a text has enough words of; English where there is none."""
    return next((language.code for language in languages() if language.is_spoken_in(text)), ENGLISH)


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
            known = {candidate.key: replace(candidate, language=language.code) for candidate in candidates if candidate}
            return tuple(known.values())
    return ()


def _candidate(language: Language, clause: Clause) -> Candidate | None:
    """The candidate of a clause, or of what it says before a remark behind a comma."""
    before, comma, _ = clause.words.partition(", ")
    quote = clause.quote.partition(", ")[0]
    said = [clause, replace(clause, words=before, quote=quote)] if comma else [clause]
    return next(filter(None, (first_candidate(language.rules, one) for one in said)), None)


def _clauses(language: Language, masked: str) -> Iterator[Clause]:
    """The clauses of the sentences that state something."""
    for whole in split_at_sentences(masked):
        sentence = _without_question(language, whole)
        if "?" in sentence or MASK in sentence or _says(sentence, language.unreal):
            continue
        while opening := _begins(sentence, language.openings):
            sentence = sentence[len(opening) :].lstrip(" ,!")
        for part in _parts(language, sentence):
            quote = part.strip(" ,;:.!-")
            if quote and len(quote) <= MAX_CLAUSE_LENGTH:
                yield Clause(_with_subject(language, quote), quote)


def _without_question(language: Language, sentence: str) -> str:
    """The statement before the question that ends a sentence; the whole sentence where there is no such."""
    if sentence.endswith("?"):
        said = sentence.split(" ")
        for index in range(1, len(said)):
            if said[index - 1].endswith(_MARKS) and _begins(" ".join(said[index : index + 4]), language.questions):
                return " ".join(said[:index])
    return sentence


def _parts(language: Language, sentence: str) -> Iterator[str]:
    """The parts of a sentence that begin with a subject, or with a word before which it was left out."""
    said = sentence.split(" ")
    start = 0
    for index in range(1, len(said)):
        is_joined = said[index].lower() in language.joins
        behind = " ".join(said[index + is_joined : index + 4])
        begins = _begins(behind, language.subjects) or _begins(behind, language.left_out)
        if begins and (is_joined or said[index - 1].endswith(_MARKS)):
            yield " ".join(said[start:index])
            start = index + is_joined
    yield " ".join(said[start:])


def _with_subject(language: Language, said: str) -> str:
    """The words with the subject first, also where it was left out."""
    if fronted := _begins(said, language.fronted):
        verb, _, behind = said[len(fronted) :].strip().partition(" ")
        if who := _begins(behind, language.subjects):
            return f"{who} {verb}{behind[len(who) :]}"
    first = _begins(said, language.left_out)
    return f"{language.left_out[first]} {said}" if first else said
