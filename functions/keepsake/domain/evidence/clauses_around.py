"""Splits a message into words with the clauses around a quote: what was cut off a quote still counts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.evidence.language_words import calendar_names
from keepsake.domain.evidence.speaker_words import has_speaker_words, speaker_words
from keepsake.domain.evidence.text_forms import LETTER, fold, stems

_TOKEN = re.compile(f"{LETTER}+(?:'{LETTER}+)*|[.!?;,:\\n…。！？、，।؟،()]+")
_ELISION = re.compile(r"(?<!\w)([^\W_]{1,4})'(?=[^\W_]{2})")
_WORD = re.compile(r"[^\W_]")
_SENTENCE_END = re.compile(r"[.!?;:\n…。！？।؟]")

_INVERTED = frozenset({"de", "nl", "sv", "no", "da"})
"""Languages in which the subject stands after the verb where anything else begins the sentence."""
_MAX_ENDING, _MIN_PERSON = 2, 3


@dataclass(frozen=True)
class Passage:
    """A text as folded words and marks, and the place of a quote in it."""

    text: str
    quote: str
    language: str

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words and marks."""
        return self._split(self.text)

    def _split(self, text: str) -> tuple[str, ...]:
        folded = fold(text)
        return tuple(_TOKEN.findall(folded if self.language == "en" else _ELISION.sub(r"\1 ", folded)))

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """Where the quote stands among the tokens."""
        wanted = [token for token in self._split(self.quote) if _WORD.match(token)]
        words = [index for index, token in enumerate(self.tokens) if _WORD.match(token)]
        for start in range(len(words) - len(wanted) + 1):
            places = words[start : start + len(wanted)]
            if wanted and [self.tokens[place] for place in places] == wanted:
                return places[0], places[-1] + 1
        return None

    @property
    def is_known(self) -> bool:
        """Whether there are word lists of its language."""
        return has_speaker_words(self.language)

    def kinds(self, index: int) -> set[str]:
        """What kinds of word a token may be."""
        return {kind for kind, _ in speaker_words(self.language).senses(self.tokens[index])}

    def relations(self, index: int) -> set[str]:
        """The relatives that a token may mean, where a language has several words for them."""
        return {group for kind, group in speaker_words(self.language).senses(self.tokens[index]) if kind and group}

    def is_person(self, index: int) -> bool:
        """Whether a token is a word for people, with an article or another short ending of its own ("sonen")."""
        word = self.tokens[index]
        table = speaker_words(self.language)
        if kinship_of(word.removesuffix("'s")) is not None:
            return ("my", "") not in table.senses(word)  # "ma mère"
        forms = (word[: len(word) - cut] for cut in range(_MAX_ENDING + 1) if len(word) - cut >= _MIN_PERSON)
        return any(kind == "person" for form in forms for kind, _ in table.senses(form))

    def is_mark(self, index: int) -> bool:
        """Whether a token is a mark."""
        return not _WORD.match(self.tokens[index])

    def is_sentence_end(self, index: int) -> bool:
        """Whether a token ends a sentence."""
        return self.is_mark(index) and _SENTENCE_END.search(self.tokens[index]) is not None

    def clauses(self, first: int = 0, last: int | None = None) -> list[list[int]]:
        """The clauses that have tokens in a range, as the indexes of all their words, also those before and after."""
        found: list[list[int]] = [[]]
        for index in range(len(self.tokens)):
            if self.is_mark(index):
                found.append([])
            elif "and" in self.kinds(index) or (self._begins_with_author(index) and len(found[-1]) > 1):
                found.append([index])
            else:
                found[-1].append(index)
        stop = len(self.tokens) if last is None else last
        return [clause for clause in found if clause and clause[-1] >= first and clause[0] < stop]

    def _begins_with_author(self, index: int) -> bool:
        """Whether a token is the author, and a clause may begin with it: "I" also stands after the verb elsewhere."""
        return self.language not in _INVERTED and "i" in self.kinds(index)


def same_thing(word: str, names: Iterable[str]) -> bool:
    """Whether a word is a form of one of the names, or another word for the same relative."""
    relation = kinship_of(word.removesuffix("'s")) or kinship_of(word)
    return any(stems(word) & stems(name) or (relation is not None and relation == kinship_of(name)) for name in names)


def is_calendar_word(word: str, language: str) -> bool:
    """Whether a word is a month or a weekday."""
    return bool(calendar_names(frozenset({language, "en"})).senses(word)) or word.isdigit()
