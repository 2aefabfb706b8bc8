"""Reads what somebody denies of what the assistant says of them: "You said I have a dog. That is my cousin, not me"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.may_change import may_change
from keepsake.domain.merging.memory_kinds import is_of_self
from keepsake.domain.text import normalize_apostrophes, split_at_sentences

_WORDS = load_alternations("denials", __package__, person=f"(?:{RELATIONS}|{FRIENDS}|neighbou?r)")
_OF_AUTHOR = r"(?P<said>\b(?:i|i'm|i've|my|me)\b.{0,200})"
_IMPUTED = re.compile(rf"\b{_WORDS['imputed']}\b.{{0,40}}?{_OF_AUTHOR}", re.IGNORECASE)
_NEVER_SAID = re.compile(rf"\b{_WORDS['never_said']}\b(?P<said>.{{1,200}})", re.IGNORECASE)
_DENIED = re.compile(rf"\b{_WORDS['denied']}(?!\w)", re.IGNORECASE)
_VALUES_OF_NOTHING = frozenset({"yes", "no", "like", "dislike"})


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


def find_denied(denials: Sequence[str], memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories of the author that one of these names whole."""
    for said in map(content_words, denials):
        for memory in memories:
            if is_of_self(memory) and may_change(memory, said_at) and (named := _names(memory)) and named <= said:
                yield memory


def _names(memory: Memory) -> set[str]:
    """The stems of what a memory is about: its value, or what its key names, or all but its verb."""
    value = memory.value if memory.value and memory.value not in _VALUES_OF_NOTHING else parse_key(memory.key).what
    predicate, _, rest = memory.text.partition(" ")
    about = content_words((value or "").replace("_", " "))
    return about or content_words(rest) - content_words(predicate)
