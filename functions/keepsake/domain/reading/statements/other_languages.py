"""Reads messages in the languages that have a folder in ``languages/`` beside English: word lists and rules, no code.

Only plain statements are read: a sentence that asks, supposes or quotes gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files

from pydantic.dataclasses import dataclass

from keepsake.domain.english.patterns.pattern_file import ROW, read_toml
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.message.language import ENGLISH
from keepsake.domain.reading.message.quoted_text import MASK, mask_quoted_text
from keepsake.domain.reading.statements.rules import Rule, first_candidate, load_rules
from keepsake.domain.reading.statements.statement_candidate import with_original_quote
from keepsake.domain.text import MAX_READ_LENGTH, normalize_words, shorten_runs, split_at_sentences, words

_MIN_WORDS = 2
_SHORT = 4
_MARKS = (",", ";", ":", "-")
_MAX_PHRASE = 60
"""Characters of the longest entry of a list."""


@dataclass(frozen=True, slots=True, config=ROW)
class Language:
    """A language: the words that show it, how its sentences fall into clauses, and its rules.

    What each of its lists has, its file says.
    """

    code: str
    words: frozenset[str]
    subjects: tuple[str, ...]
    left_out: Mapping[str, str]
    """What is left out before a word at the beginning of a clause: "ich" before "wohne"."""
    fronted: tuple[str, ...]
    questions: tuple[str, ...]
    joins: tuple[str, ...]
    openings: tuple[str, ...]
    unreal: tuple[str, ...]
    pasted: tuple[str, ...]
    rules: tuple[Rule, ...]

    def is_spoken_in(self, text: str) -> bool:
        """Whether a text has enough words of this language."""
        said = words(text)
        return sum(word in self.words for word in said) >= (1 if len(said) <= _SHORT else _MIN_WORDS)

    def is_own_words(self, text: str) -> bool:
        """Whether all sentences of a text are in this language, and it brings no text to work on."""
        sentences = [sentence for sentence in split_at_sentences(text) if len(words(sentence)) > _MIN_WORDS]
        return not _says(text, self.pasted) and all(map(self.is_spoken_in, sentences))

    def clauses(self, text: str) -> Iterator[Clause]:
        """The clauses of a text that state something, with their subject first."""
        for sentence in split_at_sentences(text):
            *parts, last = self._parts(sentence)
            stated = parts if last.endswith("?") and _begins(last, self.questions) else [*parts, last]
            said = " ".join(stated)
            if "?" in said or MASK in said or _says(said, self.unreal):
                continue
            for part in stated:
                quote = part.strip(" ,;:.!-")
                if quote and len(quote) <= MAX_CLAUSE_LENGTH:
                    yield Clause(self._with_subject(quote), quote)

    def _parts(self, sentence: str) -> Iterator[str]:
        """The parts of a sentence that begin with a subject, a word before which it was left out, or a question."""
        while opening := _begins(sentence, self.openings):
            sentence = sentence[len(opening) :].lstrip(" ,!")
        beginnings = (*self.subjects, *self.left_out, *self.questions)
        said = sentence.split(" ")
        start = 0
        for index in range(1, len(said)):
            is_joined = said[index].lower() in self.joins
            behind = " ".join(said[index + is_joined : index + 4])
            if (is_joined or said[index - 1].endswith(_MARKS)) and _begins(behind, beginnings):
                yield " ".join(said[start:index])
                start = index + is_joined
        yield " ".join(said[start:])

    def _with_subject(self, said: str) -> str:
        """The words with the subject first, also where it was left out."""
        if fronted := _begins(said, self.fronted):
            verb, _, behind = said[len(fronted) :].strip().partition(" ")
            if who := _begins(behind, self.subjects):
                return f"{who} {verb}{behind[len(who) :]}"
        first = _begins(said, self.left_out)
        return f"{self.left_out[first]} {said}" if first else said


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
    """The languages beside English. Raises ValueError where a file is malformed."""
    codes = sorted(entry.name for entry in files(__package__).joinpath("languages").iterdir() if entry.is_dir())
    return tuple(_language(code) for code in codes if code != ENGLISH and not code.startswith("_"))


def _language(code: str) -> Language:
    table = read_toml(f"languages/{code}/language.toml", __package__)
    left_out = {word: before for before, entries in table["left_out"].items() for word in entries}
    shown_by = frozenset(map(normalize_words, table["words"]))
    read = {"code": code, "words": shown_by, "left_out": left_out, "rules": load_rules(code)}
    return Language(**{**table, **read})


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
            found = (_candidate(language, clause) for clause in language.clauses(masked))
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
