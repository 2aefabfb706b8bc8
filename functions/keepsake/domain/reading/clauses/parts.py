"""Cuts a sentence at its joints, marks and words behind which something of its own begins, and reads each part.

A part states or asks something, or it continues the part before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from keepsake.domain.english.grammar.verb_phrase import bare_words, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_in
from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause, read_clause
from keepsake.domain.reading.clauses.subjects import (
    SUBJECTS,
    goes_on_about_other,
    has_subject,
    is_subject_alone,
    shared_subject,
)
from keepsake.domain.text import word_set

_WORDS = {section: frozenset(entries) for section, entries in load_sections("clauses", __package__).items()}
_MIN_STATEMENT = 3
_MARGIN = 1.0
"""How much better than none a beginning has to fit a part that becomes a clause by it."""
_I_CAN = (("i", "can"), ("i", "could"), ("we", "can"), ("we", "could"))
_OTHERS = frozenset({"he", "hes", "she", "shes", "they", "theyre"})

_JOINTS = load_alternations("clauses", __package__)["joints"]
_RUN_ON = "(?:i am|i'm|im|we are|we're|i (?:have|work|live|carry|play)|we have|my name|hes|shes|he's|she's)"
_ASKING = "(?:what|how|which|where) (?:is|are|do|does|should|can|could|was|much|many)|(?:can|could|would|will) you"
_ENDS = (
    rf"\s{{0,12}}(?:(?<!\d),|,(?!\d)|[;()]|:(?!\d))\s{{0,12}}(?:(?:{_JOINTS})\s{{1,12}})?",
    r"\s{1,12}[-\u2013\u2014>&]{1,4}\s{1,12}|\s{0,12}\u2014\s{0,12}",
    rf"\s{{1,12}}(?:{_JOINTS})\s{{1,12}}",
    r"\s{1,12}since\s{1,12}(?!(?:i|we) (?:was|were)\b)(?=(?:i|we|my|our|he|she|they|it)\b)",
    rf"\s{{1,12}}(?=(?:{_RUN_ON}|{_ASKING})\s)",
)
_JOINT = re.compile(rf"(?=[\s,;():\u2014])(?:{'|'.join(_ENDS)})", re.IGNORECASE)
_NEEDS_MORE = word_set("iam am im is are was were be been feel feels not only ever since until by")
_MARKS = ",;()"
_CONTRACTED = ("'m", "'re", "'s")
_AND = frozenset({"and", "n", "&"})
_OWN = (("my",), ("our",))
_DETERMINERS = (*_OWN, ("the",))
_MAX_HALF = 2


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence between two joints, with what continues it; ``words`` has its subject first."""

    start: int
    end: int
    words: str
    asks: bool = False
    is_hedged: bool = False
    is_fragment: bool = False
    """Its beginning was left out."""


def parts_of(body: str, before: str, *, is_question: bool) -> list[Part]:
    """The parts of a sentence, each with what continues it; ``before`` is the sentence before."""
    found: list[Part] = []
    is_of_other = len(bare_words(before)) > 1 and bare_words(before)[0].partition("'")[0] in _OTHERS
    start, joint = 0, ""
    for end, after, following in cut_at_joints(body):
        if body[end:after].strip() == ":" and " " not in body[start:end].strip():  # "DEVELOPER: …" is a label
            start, joint = after, following
            continue
        last = found[-1] if found else None
        if last and clause_filters.is_afterthought_hedge(body[start:end]):
            last = found[-1] = replace(last, is_hedged=True)
        part = _read_part(body, start, end, joint, last)
        if is_of_other and SUBJECTS.isdisjoint(bare_words(body[start:end])[:2]):
            part = None  # "he found something! driver for a hotel van"
        is_question_itself = is_question and end == len(body)
        if part:
            found.append(replace(part, asks=part.asks or is_question_itself))
        elif last and not is_question_itself:
            closing = end + ("(" in body[last.end : end] and body.startswith(")", end))
            found[-1] = replace(last, end=closing, words=last.words + body[last.end : closing])
        start, joint = after, following
    return found


def _read_part(body: str, start: int, end: int, joint: str, before: Part | None) -> Part | None:
    """A part that states or asks something; None where it continues the part before it."""
    said = body[start:end].strip(" \t\n.-*\u2022")
    led = filler_length(said, with_corrections=True)
    rest = said[led:]
    words = bare_words(rest)
    shared = shared_subject(before.words, rest, joint) if before and not before.asks and words else None
    if not words or (shared is None and _belongs_before(rest, words, joint, before)):
        return None
    is_fragment = False
    stated = shared or (rest if has_subject(rest) else None)
    is_order = words[0] in _WORDS["requests"] and joint not in ("and", "n")
    asks = clause_filters.is_question_or_request(rest) or words[0] in _WORDS["questions"]
    if stated is None and not asks:
        beginning = beginning_of(rest, joint if start else None, _MARGIN)
        is_fragment = beginning not in ("", NOTHING)
        stated = begin(beginning, rest) if is_fragment else None
    asks = stated is None and (asks or is_order)
    is_statement = len(words) >= _MIN_STATEMENT and _is_statement(rest)
    is_own = stated or asks or start == 0 or words[0] == "now" or words[1:2] == ("me",) or is_statement
    return Part(start, end, said[:led] + (stated or rest), asks=asks, is_fragment=is_fragment) if is_own else None


def _belongs_before(said: str, words: tuple[str, ...], joint: str, before: Part | None) -> bool:
    """Whether words only go on with the part before, whatever they say."""
    if joint == "so" and words[:2] in _I_CAN:
        return True
    if words[0] in SUBJECTS:
        return len(words) == 1
    if before and not joint and is_subject_alone(before.words):  # "my eldest, Noor, just started school"
        return True
    if before is None or before.asks or clause_filters.is_question_or_request(said):
        return False
    return goes_on_about_other(before.words, said)


def cut_at_joints(body: str) -> Iterator[tuple[int, int, str]]:
    """Where each part between joints ends, where the next one begins, and the joint between them."""
    start = 0
    for match in _JOINT.finditer(body):
        joint = match[0].strip(" ,").lower()
        if match.start() > start and _ends_part(body, start, match, joint):
            yield match.start(), match.end(), joint
            start = match.end()
    yield len(body), len(body), ""


def _ends_part(body: str, start: int, match: re.Match[str], joint: str) -> bool:
    """Whether a part ends at a joint; not where only a half of a subject, or what leads to it, stands before."""
    before, after = body[start : match.start()], body[match.end() :]
    if joint in _AND and _is_bare_subject(before):
        return False
    if not match[0].strip() and not _is_run_on(before, after):
        return False
    if match[0].lstrip().startswith(","):
        if clause_filters.is_fronted_phrase(before):
            return clause_filters.is_question_or_request(after) or not _WORDS["requests"].isdisjoint(
                bare_words(after)[:1]
            )
        owned = bare_words(before) if before.count(",") <= 1 else ()
        if owned[:1] in _OWN and (joint == "which" or "who" in owned or after.startswith("who ")):
            return False  # "my sister, who lives in Oslo, is a nurse"
    elif _needs_more(before):  # "I'm so tired"
        return False
    return not clause_filters.is_leading_phrase(before)


def _needs_more(before: str) -> bool:
    """Whether the last word goes on with what stands behind the joint."""
    last = bare_words(before)[-1:]
    return last != () and (last[0].rpartition("-")[2] in _NEEDS_MORE or last[0].endswith(_CONTRACTED))


def _is_run_on(before: str, after: str) -> bool:
    """Whether two whole clauses stand on both sides, as in what people dictate; a question needs none before it."""
    if clause_filters.is_question_or_request(after):
        return True
    if not _WORDS["subordinating"].isdisjoint(bare_words(before)[-1:]):
        return False
    clause = after[: next((at for at, character in enumerate(after) if character in _MARKS), None)]
    return _is_statement(before) and _is_statement(clause)


def _is_bare_subject(before: str) -> bool:
    """Whether words are only half a subject ("my wife" of "my wife and I")."""
    words = bare_words(before[filler_length(before) :])
    named = words[words[:1] in _DETERMINERS :]
    if not 0 < len(named) <= _MAX_HALF or is_in("durable_adjectives", words[0]):
        return False
    return read_clause(before) is None


def _is_statement(said: str) -> bool:
    """Whether words have a subject and a verb, and do not break off; "a dog called Rex" has no verb."""
    words = normalize_clause(said).words
    is_phrase = words.startswith(("a ", "an ")) or clause_filters.is_incomplete(words)
    return not is_phrase and read_verb_phrase(words) is not None
