"""Tells what a command may be about, and whether what it is about states something."""

from __future__ import annotations

from itertools import pairwise

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.text import words

_SECTIONS = load_sections("subjects", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_MAX_SUBJECT_WORDS = 8


def may_be_subject(said: str) -> bool:
    """Whether memories may be about what was said: no pronoun, nothing that holds today only, no second request."""
    lowered, split = said.casefold(), said.split()
    return (
        0 < len(split) <= _MAX_SUBJECT_WORDS
        and lowered not in _WORDS["no_subjects"]
        and split[-1].casefold() not in _WORDS["last_words_of_no_subject"]
        and not any(phrase in lowered for phrase in _SECTIONS["not_in_a_subject"])
        and all(_may_be_joined(after) for before, after in pairwise(split) if before.casefold() == "and")
    )


def _may_be_joined(word: str) -> bool:
    """Whether a word after "and" goes on with the subject, and does not begin another clause."""
    return word != "I" and (word[0].isupper() or word in _WORDS["joined"])


def is_own_statement(text: str) -> bool:
    """Whether a sentence states something about its author."""
    first, *others = text.casefold().partition(",")[0].split() or [""]
    if first in _WORDS["first_person"]:
        return bool(others) and others[0] not in _WORDS["asides"] and not text.endswith(_SECTIONS["endearments"])
    return first in _WORDS["possessives"] and any(map(_is_verb, others[1:5]))


def is_statement(text: str) -> bool:
    """Whether a sentence states something about its author or a person whom it names, and nothing of the world."""
    return is_own_statement(text) or _is_of_others(text)


def _is_of_others(text: str) -> bool:
    said = {word.partition("'")[0] for word in words(text)}
    first, *others = text.casefold().split() or [""]
    return (
        (text[:1].isupper() or not said.isdisjoint(_WORDS["author"]))
        and said.isdisjoint(_WORDS["claims"])
        and first.partition("'")[0] not in _WORDS["not_a_name"]
        and not _WORDS["verbs_of_others"].isdisjoint(others[:4])
    )


def _is_verb(word: str) -> bool:
    """Whether a word may be the verb after "my …"."""
    bare = word.rstrip(".,:;!?")
    return bare in _WORDS["verbs_of_own"] or (bare.isalpha() and len(bare) > 2 and bare.endswith(("s", "ed")))
