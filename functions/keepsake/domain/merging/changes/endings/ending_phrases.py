"""Reads what a message says has ended, in words that fit anything: "said goodbye to Pixel", "last day at Deloitte"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.extraction.rules.grammar.word_forms import is_adverb

_WORDS = load_alternations("endings", __package__)
_COMMA = re.compile("[,;:]")
_WORD = re.compile(r"[\w'-]{1,40}")
_PRECEDING = re.compile(rf"(?:{_WORDS['may_precede']})$", re.IGNORECASE)
_BEFORE = re.compile(rf"\b{_WORDS['before']}\b", re.IGNORECASE)
_AFTER = re.compile(rf"\b{_WORDS['after']}\b", re.IGNORECASE)
_AROUND = re.compile(
    rf"\b{_WORDS['verbs_around']} (?P<object>(?:(?!{_WORDS['particles']}\b)[\w'-]{{1,30}} ){{1,5}})"
    rf"{_WORDS['particles']}\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:^|\W)no \w", re.IGNORECASE)
_NONE_LEFT = re.compile(r"^no (?P<object>[\w'-]{4,30}(?: [\w'-]{4,30})?)$", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\b(?:his|her|their|your)\b|'s? [\w']", re.IGNORECASE)
_MAX_AFTER = 4
"""Words after "goodbye to" that may name what has ended; more of them tell something else."""
_MAX_BEFORE = 5
"""Words before "moved out", from the beginning of a part of the clause."""


def has_ending_phrase(text: str) -> bool:
    """Whether a message has words by which something ends."""
    return any(sign.search(text) for sign in (_BEFORE, _AFTER, _AROUND, _NONE))


def read_ending_phrases(words: str) -> Iterator[str]:
    """The words of a clause that name what has ended; mostly none.

    Of "my sister quit the gym" nothing: the words before an ending may only be about the person.
    """
    for part in _COMMA.split(words):
        for match in _BEFORE.finditer(part):
            if concerns_author(part[: match.start()]):
                yield " ".join(_WORD.findall(part[match.end() :])[:_MAX_AFTER])
        for match in _AROUND.finditer(part):
            if concerns_author(part[: match.start()]):
                yield match["object"]
        if none_left := _NONE_LEFT.match(part.strip()):
            yield none_left["object"]
        for match in _AFTER.finditer(part):
            named = _WORD.findall(part[: match.start()])
            if 0 < len(named) <= _MAX_BEFORE and not _OF_ANOTHER.search(part[: match.start()]):
                yield " ".join(named)


def concerns_author(before: str) -> bool:
    """Whether the words before an ending leave it to the author ("we finally", "last week I had to")."""
    return all(_PRECEDING.match(word) or is_adverb(word.lower()) for word in _WORD.findall(before))
