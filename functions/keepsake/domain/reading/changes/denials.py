"""Reads what somebody denies of what the assistant says of them: "You said I have a dog. That is my cousin, not me"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.text import normalize_apostrophes, split_at_sentences

_WORDS = load_alternations("denials", __package__, person=f"(?:{RELATIONS}|{FRIENDS}|neighbou?r)")
_OF_AUTHOR = r"(?P<said>\b(?:i|i'm|i've|my|me)\b.{0,200})"
_IMPUTED = re.compile(rf"\b{_WORDS['imputed']}\b.{{0,40}}?{_OF_AUTHOR}", re.IGNORECASE)
_NEVER_SAID = re.compile(rf"\b{_WORDS['never_said']}\b(?P<said>.{{1,200}})", re.IGNORECASE)
_DENIED = re.compile(rf"\b{_WORDS['denied']}(?!\w)", re.IGNORECASE)


def read_denials(text: str) -> tuple[str, ...]:
    """What a message denies, in its own words: "I'm allergic to walnuts"; mostly nothing."""
    return tuple(_denials(split_at_sentences(normalize_apostrophes(text))))


def _denials(sentences: Sequence[str]) -> Iterator[str]:
    for sentence, following in zip(sentences, [*sentences, ""][1:], strict=True):
        imputed, never_said = _IMPUTED.search(sentence), _NEVER_SAID.search(sentence)
        denied = None if imputed is None else _DENIED.search(imputed["said"])
        if imputed and (denied or _DENIED.search(following)):
            yield imputed["said"][: denied.start() if denied else None]
        elif never_said:
            yield never_said["said"]
