"""Says what the words may be that a command names: the subject of memories, or a statement to remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import dropwhile, pairwise

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.text import words

_SECTIONS = load_sections("named_words", __package__)
_WORDS = {name: frozenset(entries) for name, entries in _SECTIONS.items()}
_MARKS = frozenset(",;:?!\n")
_MARKS_AROUND = " .\"'“”„"
_MAX_SUBJECT_LENGTH, _MAX_SUBJECT_WORDS = 80, 8
_MAX_BARE_WORDS, _MIN_BARE_LENGTH = 3, 3


def is_own_statement(text: str) -> bool:
    """Whether a sentence states something about its author."""
    first, *others = text.lower().partition(",")[0].split() or [""]
    if first in _WORDS["first_person"]:
        return bool(others) and others[0] not in _WORDS["asides"] and not text.endswith(_SECTIONS["endearments"])
    return first in _WORDS["possessives"] and any(map(_is_verb, others[1:5]))


def with_verb_second(clause: str) -> str:
    """A clause with its verb last as a sentence: of "mein Hund Angst vor Gewitter hat" "mein Hund hat Angst …"."""
    *said, verb = clause.split()
    subject = 2 if said[0] in _WORDS["articles"] else 1
    name, after = (*said[subject:], "", "")[:2]
    if subject > 1 and name[:1].isupper() and after not in _WORDS["of_nouns"]:  # "meine Tochter Lena"
        subject += 1
    return " ".join((*said[:subject], verb, *said[subject:]))


def subject_of(words_of_slot: str) -> str:
    """The subject that the words of a slot name."""
    return words_of_slot.strip(_MARKS_AROUND)


def _is_subject(text: str) -> bool:
    """Whether memories may be about what was said: no pronoun, nothing that holds today only, no second request."""
    said = subject_of(text).lower()
    split = said.split()
    return (
        0 < len(split) <= _MAX_SUBJECT_WORDS
        and len(said) <= _MAX_SUBJECT_LENGTH
        and _MARKS.isdisjoint(said)
        and said not in _WORDS["no_subjects"]
        and split[-1] not in _WORDS["last_words_of_no_subject"]
        and not any(phrase in said for phrase in _SECTIONS["not_in_a_subject"])
        and all(_may_be_joined(after) for before, after in pairwise(text.split()) if before.lower() in ("and", "und"))
    )


def _may_be_joined(word: str) -> bool:
    """Whether a word after "and" goes on with the subject, and does not begin another clause."""
    return word != "I" and (word[0].isupper() or word in _WORDS["joined"])


def _is_own_thing(text: str) -> bool:
    """Whether memories may be about something of the author's: "my old address", but not "my last question"."""
    first, *said = text.lower().split()
    named = [*dropwhile(_WORDS["which"].__contains__, said), "", ""]
    is_thing = named[0] not in _WORDS["no_memories"] or f"{named[0]} {named[1]}" in _WORDS["memories"]
    is_one = _WORDS["goes_on"].isdisjoint(said)
    return first in _WORDS["possessives"] and bool(said) and is_thing and is_one and _is_subject(text)


def _is_bare(text: str) -> bool:
    """Whether it is a few words that may name what memories are about, without more that says so."""
    first, *others = text.lower().split()
    return (
        len(first) >= _MIN_BARE_LENGTH
        and len(others) < _MAX_BARE_WORDS
        and first not in _WORDS["no_bare_subject"]
        and text.replace(" ", "").replace("'", "").replace("-", "").isalnum()
        and _is_subject(text)
    )


def _is_number(text: str) -> bool:
    kind, _, number = text.lower().partition("-")
    return kind == "m" and number.isdecimal()


def _is_kind(text: str) -> bool:
    """Whether it is all of one kind: "all my preferences"."""
    said = text.lower().replace("all of my ", "all my ")
    return said.startswith("all my ") and said.removeprefix("all my ") in _WORDS["kinds"]


def _is_known(text: str) -> bool:
    """Whether it states something that may be forgotten, and not what one only thinks."""
    is_opinion = not _WORDS["opinions"].isdisjoint(words(text)[1:2])
    return not is_opinion and _is_subject(text) and _is_fact(text)


def _is_fact(text: str) -> bool:
    """Whether it states something about the author or about a person whom it names, and claims nothing of the world."""
    said = {word.partition("'")[0] for word in words(text)}
    first, *others = text.lower().split()
    return is_own_statement(text) or (
        (text[:1].isupper() or not said.isdisjoint(_WORDS["author"]))
        and said.isdisjoint(_WORDS["claims"])
        and first.partition("'")[0] not in _WORDS["not_a_name"]
        and not _WORDS["verbs_of_others"].isdisjoint(others[:4])
    )


def _is_text(text: str) -> bool:
    first, *others = text.lower().split()
    return bool(others) and first != "you"


def _is_label(text: str) -> bool:
    """Whether it is something of the author's after its name: "mein Passwort: hunter2"."""
    first, *others = text.lower().split()
    return first in _WORDS["possessives"] and len(others) > 1 and others[0].endswith(":")


def _is_clause(text: str) -> bool:
    """Whether it may be a clause with its verb at its end."""
    first, *others = text.split()
    return len(others) > 1 and (first in _WORDS["articles"] or first in _WORDS["first_person"] or first[0].isupper())


def _is_verb(word: str) -> bool:
    """Whether a word may be the verb after "my …"."""
    bare = word.rstrip(".,:;!?")
    return bare in _WORDS["verbs_of_own"] or (bare.isalpha() and len(bare) > 2 and bare.endswith(("s", "ed")))


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "subject": _is_subject,
    "own": _is_own_thing,
    "bare": _is_bare,
    "number": _is_number,
    "kind": _is_kind,
    "known": _is_known,
    "self": is_own_statement,
    "fact": _is_fact,
    "text": _is_text,
    "label": _is_label,
    "clause": _is_clause,
}
"""For each slot of a form, whether words may be what stands there."""
STATEMENTS = frozenset({"self", "fact", "text", "label", "clause"})
"""The slots with what is to be remembered; others have what a command is about."""
