"""Reads the parts of a sentence between its joints: what states, what asks, and what continues the part before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from keepsake.domain.english.grammar.verb_phrase import bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_in
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.joints import cut_at_joints
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.reading.clauses.sentences import Sentence, SplitMessage, states_nothing
from keepsake.domain.reading.clauses.subjects import (
    SUBJECTS,
    expand_is,
    goes_on_about_other,
    is_subject_alone,
    shared_subject,
    subject_first,
)

_WORDS = {section: frozenset(entries) for section, entries in load_sections("clauses", __package__).items()}
_MAX_SENTENCE = 1_200
_MIN_STATEMENT = 3
_MARGIN = 1.0
"""How much better than none a beginning has to fit a part that becomes a clause by it."""
_OTHERS = frozenset({"he", "hes", "she", "shes", "they", "theyre"})
_WORD = re.compile(r"\s*+([\w']++)[\s,]*+")
_I_CAN = (("i", "can"), ("i", "could"), ("we", "can"), ("we", "could"))
_HARDLY = (("only",), ("barely",), ("hardly",), ("never",), ("not",))
_IS_IN = (("i", "am", "in"), ("we", "are", "in"))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence between two joints; ``words`` has its subject first."""

    start: int
    end: int
    words: str = ""
    asks: bool = False
    is_hedged: bool = False
    is_fragment: bool = False
    """Its beginning was left out."""
    continues: bool = False
    """It belongs to the clause before it."""


def parts_of(split: SplitMessage, number: int) -> list[Part]:
    """The parts of a sentence, each with what continues it; none where all of it states nothing."""
    sentence = split.sentences[number]
    body = split.masked[sentence.start : sentence.end]
    if len(body) > _MAX_SENTENCE or sentence.is_sarcastic or states_nothing(body):
        return []
    found: list[Part] = []
    is_of_other = number > 0 and _is_of_other(split, split.sentences[number - 1])
    start, joint = 0, ""
    for end, after, following in cut_at_joints(body):
        if body[end:after].strip() == ":" and " " not in body[start:end].strip():  # "DEVELOPER: …" is a label
            start, joint = after, following
            continue
        if found and clause_filters.is_afterthought_hedge(body[start:end]):
            found[-1] = replace(found[-1], is_hedged=True)
        before = found[-1] if found else None
        part = _read_part(body, start, end, joint, before)
        if is_of_other and SUBJECTS.isdisjoint(bare_words(body[start:end])[:2]):
            part = replace(part, continues=True)  # "he found something! driver for a hotel van"
        is_end_of_question = sentence.is_question and end == len(body)
        if before and part.continues and not is_end_of_question:
            closing = end + ("(" in body[before.end : end] and body.startswith(")", end))
            found[-1] = replace(before, end=closing, words=before.words + body[before.end : closing])
        else:
            found.append(part)
        start, joint = after, following
    if sentence.is_question and found and not found[-1].asks:
        found[-1] = replace(found[-1], asks=True)
    return [part for part in found if part.words and not part.continues]


def _is_of_other(split: SplitMessage, sentence: Sentence) -> bool:
    """Whether a sentence is about "him" or "her"."""
    first, *others = bare_words(split.masked[sentence.start : sentence.end]) or ("",)
    return bool(others) and first.partition("'")[0] in _OTHERS


def _read_part(body: str, start: int, end: int, joint: str, before: Part | None) -> Part:
    """What a part is: a statement, a question or request, or what continues the part before it."""
    said = body[start:end].strip(" \t\n.-*\u2022")
    led = interjections(said)
    normal = normalize_clause(said)
    leading = said[:led] if normal.corrects or normal.is_addition else ""
    rest = said[led:]
    words = bare_words(rest)
    subject = before if before and is_subject_alone(before.words) else None
    shared = shared_subject(before.words, rest, joint) if before and not before.asks and words else None
    if not words or (shared is None and _belongs_before(rest, words, joint, before, subject)):
        return Part(start, end, continues=True)
    is_fragment = False
    stated = shared or with_subject(rest)
    is_order = words[0] in _WORDS["requests"] and joint not in ("and", "n")
    asks = clause_filters.is_question_or_request(rest) or words[0] in _WORDS["questions"]
    if stated is None and not asks:
        beginning = beginning_of(rest, joint if start else None, _MARGIN)
        is_fragment = beginning not in ("", NOTHING)
        stated = begin(beginning, rest) if is_fragment else None
    asks = stated is None and (asks or is_order)
    is_own = stated or asks or start == 0 or words[0] == "now" or words[1:2] == ("me",) or _is_statement(rest, words)
    return Part(
        start, end, leading + (stated or expand_is(rest)), asks=asks, is_fragment=is_fragment, continues=not is_own
    )


def _belongs_before(said: str, words: tuple[str, ...], joint: str, before: Part | None, subject: Part | None) -> bool:
    """Whether words only go on with the part before, whatever they say."""
    if joint == "so" and words[:2] in _I_CAN and words[2:3] not in _HARDLY:
        return True
    if joint == "while" and bare_words(normalize_clause(said).words)[:3] in _IS_IN:
        return True
    if words[0] in SUBJECTS:
        return len(words) == 1
    if subject and not joint:  # "my eldest, Noor, just started school"
        return True
    if before is None or before.asks or clause_filters.is_question_or_request(said):
        return False
    return goes_on_about_other(before.words, said)


def with_subject(said: str) -> str | None:
    """The words with the subject that they have before everything else; None where they have none."""
    words = bare_words(said) or ("",)
    if words[0] in SUBJECTS:
        return expand_is(said)
    if words[0] == "new" and "is" in bare_words(expand_is(said))[2:4]:
        return f"my {expand_is(said[:1].lower() + said[1:])}"
    if len(words) > 2 and words[1] in ("is", "are", "was") and is_in("own_nouns", words[0]):
        return said
    normal = normalize_clause(said)
    if normal.fronted_phrase:
        return said
    has_subject = normal.words.startswith("I ")
    return subject_first(said) or (said if has_subject else None)


def _is_statement(said: str, words: tuple[str, ...]) -> bool:
    """Whether words have a subject and a verb; "a dog called Rex" has none."""
    if len(words) < _MIN_STATEMENT or words[0] in ("a", "an"):
        return False
    return read_verb_phrase(normalize_clause(expand_is(said)).words) is not None


def interjections(said: str) -> int:
    """The length of the words before a statement that say nothing ("oh wait")."""
    length = filler_length(said)
    while match := _WORD.match(said, length):
        is_refusal = match[1].lower() == "no" and "," not in match[0]  # "no car"
        if (
            is_refusal
            or not is_in("interjections", match[1].lower())
            or match[1].lower() in ("now", "like")
            or match.end() == len(said)
        ):
            break
        length = match.end()
    return length
