"""Recognizes words for people: what somebody is to the author or by work, and proper names."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.word_groups import JOBS, ROLES
from keepsake.domain.extraction.rules.clause_reader.noun_phrases import Words
from keepsake.domain.extraction.rules.clause_reader.word_classes import is_in
from keepsake.domain.extraction.rules.clause_reader.word_forms import is_known_word


def is_person(words: Sequence[str]) -> bool:
    """Whether a noun phrase names somebody by what they do, or as a relative ("my piano teacher")."""
    return words[-1] in JOBS or words[-1] in ROLES or kinship_of(words[-1]) is not None or is_in("persons", words[-1])


def is_proper_name(words: Words) -> bool:
    """Whether the words are a name: a title, or what no dictionary has."""
    if is_in("titles", words[0]) and len(words) > 1:
        return True
    return len(words) < 3 and all(word.isalpha() and not is_known_word(word) for word in words)
