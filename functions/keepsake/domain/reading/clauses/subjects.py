"""Finds the subject of a part of a sentence: its own, one that it shares, or one that stands alone."""

from __future__ import annotations

from keepsake.domain.english.grammar.verb_phrase import Subject, VerbPhrase, bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_in, verb_form
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause, read_clause

_WORDS = {section: frozenset(entries) for section, entries in load_sections("clauses", __package__).items()}
AUTHOR = _WORDS["author"]
"""The words for the author with which a statement may begin."""
SUBJECTS = AUTHOR | _WORDS["other_subjects"]
_OBJECTS = frozenset({"me", "us"})
_PERSONS = frozenset({"he", "she", "they"})
_MAX_PROPERTY = 3
_MAX_SUBJECT = 6


def is_subject_alone(words: str) -> bool:
    """Whether words name somebody or something of the author's, and nothing is said of it ("my eldest, Noor")."""
    named = bare_words(words)
    is_name = 1 < len(named) <= _MAX_SUBJECT and named[0] in ("my", "our", "the")
    return is_name and read_clause(words) is None


def goes_on_about_other(before: str, said: str) -> bool:
    """Whether words without a subject follow a statement about somebody else that is not of the author too."""
    phrase, words = read_clause(before), bare_words(said)
    if phrase is None or phrase.subject not in (Subject.CLOSE, Subject.OTHER) or not _OBJECTS.isdisjoint(phrase.rest):
        return False
    form = verb_form(words[0])
    is_person = phrase.subject is Subject.CLOSE or phrase.owner in _PERSONS
    return is_person or form is None or not form.is_base


def shared_subject(before: str, said: str, joint: str) -> str | None:
    """The words with the subject that they share with those before ("I love pets and | have 2 dogs")."""
    stated, words = normalize_clause(before).words, bare_words(said)
    phrase = read_verb_phrase(stated)
    if phrase is None:  # "lives in Graz, works as a nurse"
        heads = [verb_form(one[0]) for one in (bare_words(before), words) if one]
        return said if all(form is not None and form.is_third_person for form in heads) else None
    if phrase.subject is Subject.AUTHOR or phrase.owner == "my name":
        if where := _place_of_introduced(said, stated, phrase):
            return where
        is_age = words[0].isdigit() and words[1:] in ((), ("years", "old")) and len(phrase.rest) == 1
        if phrase.verb == "be" and (is_age or (is_in("durable_adjectives", *words) and len(words) <= _MAX_PROPERTY)):
            return f"I am {said}"
        is_verb = words[0] in _WORDS["second_verbs"] and (joint or words[:2] == ("like", "to") or words[0] != "like")
        return f"I {said}" if is_verb and len(words) > 1 else None
    form = verb_form(words[0])
    if joint not in ("and", "but", "n") or form is None or not form.is_third_person or len(words) < 2:
        return None
    who = stated.split()[: len(phrase.owner.split())]
    return f"{' '.join(who)} {said}"


def _place_of_introduced(said: str, stated: str, phrase: VerbPhrase) -> str | None:
    """What ", in Turin" says behind the name or the age of the author; None where it is something else."""
    first, *others = said.split()
    where, *place = others if others and first.lower() in ("living", "based") else (first, *others)
    named = stated.split()[len(phrase.owner.split()) + 1 :]
    is_introduction = phrase.verb == "be" and len(named) in (1, 3) and (named[0].isdigit() or named[0].istitle())
    if not (is_introduction and where.lower() in ("in", "from") and place and place[0][0].isupper()):
        return None
    return f"I {'am from' if where.lower() == 'from' else 'live in'} {' '.join(place)}"


def has_subject(said: str) -> bool:
    """Whether words have a subject, before everything else or behind what was fronted ("at home we speak Czech")."""
    normal = normalize_clause(said)
    return not SUBJECTS.isdisjoint(bare_words(said)[:1]) or normal.fronted_phrase != "" or normal.words[:2] == "I "
