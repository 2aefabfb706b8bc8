"""Finds the words and phrases of a table in a text, in any form of the words, with what the table says of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import contains

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|&")
_MIN_INFLECTED = 3
"""Letters of a word of which forms are known."""

Phrase = tuple[str, ...]
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhraseLookup:
    """What each phrase names, by its first word; the longest phrase comes first."""

    phrases: Mapping[str, Sequence[tuple[Phrase, Names]]]
    bases: Mapping[str, str]
    """The word of the table that another word is a form of."""

    @classmethod
    def of(cls, table: Mapping[str, Names]) -> PhraseLookup:
        """The lookup of a table of phrases."""
        phrases: dict[str, list[tuple[Phrase, Names]]] = {}
        for phrase, names in sorted(table.items(), key=lambda row: -len(row[0])):
            words = tuple(words_of(phrase))
            phrases.setdefault(words[0], []).append((words, names))
        known = {word for phrase in table for word in words_of(phrase) if len(word) >= _MIN_INFLECTED}
        return cls(phrases, {form: word for word in sorted(known) for form in _forms(word)})

    def find(self, text: str) -> Iterator[Names]:
        """What each phrase in the text names; of phrases that begin at one word, the longest counts."""
        forms = [(word, self.bases.get(word, word)) for word in words_of(text)]
        after = 0
        for at, (word, base) in enumerate(forms):
            if at < after or (word not in self.phrases and base not in self.phrases):
                continue
            for phrase, names in (*self.phrases.get(word, ()), *(self.phrases.get(base, ()) if base != word else ())):
                if len(phrase) == 1 or _stands(phrase, forms[at : at + len(phrase)]):
                    yield names
                    after = at + len(phrase)
                    break


def _stands(phrase: Phrase, forms: Sequence[tuple[str, str]]) -> bool:
    return len(forms) == len(phrase) and all(map(contains, forms, phrase))


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; a hyphen parts words."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def _forms(word: str) -> Iterator[str]:
    """The plural, the possessive, the verb forms in -ing and -ed, and the British spelling of a word."""
    stem = word.removesuffix("e")
    yield from (f"{word}s", f"{word}es", f"{word}'s", f"{stem}ing", f"{stem}ed")
    yield from (f"{word}{word[-1]}ing", f"{word}{word[-1]}ed")
    if word.endswith("y"):
        yield from (f"{word[:-1]}ies", f"{word[:-1]}ied")
    if "or" in word:
        british = word.replace("or", "our")
        yield from (british, f"{british}s")
