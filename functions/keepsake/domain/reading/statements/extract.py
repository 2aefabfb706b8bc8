"""Extracts candidates from a message: from its clauses by rules, from what no rule reads by a classifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from keepsake.domain.english.complete_statements import is_complete_statement
from keepsake.domain.english.grammar.verb_phrase import Subject, read_verb_phrase
from keepsake.domain.english.word_groups import JOBS
from keepsake.domain.memory import MAX_PER_TURN, Candidate, Memory
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.message.language import is_other_script
from keepsake.domain.reading.message.previous_messages import (
    PreviousMessage,
    answered_statement,
    asks_about_other,
    question_before,
    words_before,
)
from keepsake.domain.reading.statements.classified_statements import classified_statements, statement_score
from keepsake.domain.reading.statements.coreference import (
    is_note_of_other,
    is_without_author,
    resolve_correction,
    resolve_pronouns,
)
from keepsake.domain.reading.statements.rules import from_clause
from keepsake.domain.reading.statements.statement_candidate import statement_candidate, with_original_quote
from keepsake.domain.text import MAX_READ_LENGTH, shorten_runs

_MIN_SCORE = 0.0
"""The score from which what a rule finds in a fragment is remembered."""
_BEFORE_WORDS = (" allergic to ", " hobbies are ", " interests are ")
"""Behind which a list of single words may stand."""
_BEFORE_LISTS = (*_BEFORE_WORDS, " have ", " own ", " adopted ", " rescued ")
_DENIED = "not_"
"""How a value begins that says what is not so: "separated, not divorced"."""


def extract(
    text: str,
    *,
    recent: Sequence[Memory] = (),
    previous: Sequence[PreviousMessage] = (),
) -> list[Candidate]:
    """Every durable statement the author makes about themselves, in the order said.

    The rules read English; a text that is visibly in another language yields nothing rather than junk.
    ``recent`` are the memories this person made in this conversation, newest first: they resolve "actually it's ramen".
    ``previous`` are the messages before it, newest first: the question it answers, and whom "she" means.
    """
    text = text[:MAX_READ_LENGTH]
    seen = shorten_runs(text)
    if is_other_script(seen):
        return []
    question = question_before(previous)
    if answer := _from_answer(text, question):
        return [answer]
    said = [*_single_statements(resolve_pronouns(seen, words_before(previous)))]
    found: list[Candidate] = []
    read: list[Clause] = []
    for clause in said:
        candidate = from_clause(clause) or _stated_inside(clause) or resolve_correction(clause, found, recent)
        if candidate is None or (clause.is_embedded and not _adds_something(candidate, found)):
            continue
        read.append(clause)
        is_over = candidate.retracts or (candidate.corrects and "|self|has|" in (candidate.key or ""))
        # "sold the fiat" is read with the changes
        if clause.is_fragment and (is_over or statement_score(clause) < _MIN_SCORE):
            continue
        found.append(candidate)
    found += classified_statements(seen, said, read)
    found.sort(key=lambda one: seen.find(one.quote))
    is_answer = asks_about_other(question)
    own = (
        with_original_quote(text, one)
        for one in found
        if (not one.text or is_complete_statement(one.text))
        and not (is_note_of_other(one, text) or (is_answer and is_without_author(one)))
    )
    return _without_repeats([*filter(None, own)])


def _from_answer(text: str, question: str | None) -> Candidate | None:
    """The candidate of an answer to the assistant's question ("yeah peanuts")."""
    statement = answered_statement(question, text)
    if statement is None:
        return None
    words = normalize_clause(statement).words
    clause = Clause(words, text.strip(), has_introduction=True)
    return with_original_quote(text, from_clause(clause) or statement_candidate(words, clause.quote))


def _single_statements(said: Iterable[Clause]) -> Iterator[Clause]:
    """The clauses, with one for each thing that one of them states, where rules read all of them."""
    for clause in said:
        parts = [replace(clause, words=words) for words in (_items(clause.words) or _workplace(clause.words))]
        is_read = 1 < len(parts) <= MAX_PER_TURN and all(map(from_clause, parts))
        yield from parts if is_read else [clause]


def _items(words: str) -> list[str]:
    """The statements of a list: "I have a dog" and "I have two cats" of "I have a dog and two cats"."""
    mark = next(filter(words.__contains__, _BEFORE_LISTS), "\n")
    head, _, listed = words.partition(mark)
    items = listed.replace(" & ", " and ").replace(", and ", " and ").replace(", ", " and ").split(" and ")
    is_list = len(items) > 1 and not (mark in _BEFORE_WORDS and any(" " in item for item in items))
    return [f"{head}{mark}{item}" for item in items] if is_list else []


def _workplace(words: str) -> list[str]:
    """The statements of "I am a nurse at Aldi": the job, and for whom somebody works."""
    job, _, place = words.partition(",")[0].partition(" at ")
    phrase = read_verb_phrase(job) if place.removeprefix("the ")[:1].isupper() else None
    if phrase is None or phrase.rest[-1:] == () or phrase.rest[-1] not in JOBS:
        return []
    who = " ".join(words.split()[: len(phrase.owner.split())])
    return [job, f"{who} {'work' if phrase.subject is Subject.AUTHOR else 'works'} at {place}"]


def _stated_inside(clause: Clause) -> Candidate | None:
    """The candidate of what another clause contains; none where "my …" in it was the subject of a verb."""
    owned = clause.words.removeprefix("I have ")
    is_subject = owned != clause.words and read_verb_phrase(f"my {owned}") is not None
    return statement_candidate(clause.words, clause.quote) if clause.is_embedded and not is_subject else None


def _adds_something(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether what stands inside another clause is specific, and was not found in that clause already."""
    key = candidate.key or ""
    name = (candidate.entity_label or "").lower()
    naming = [one for one in found if one.entity_label]  # not "Hikes with their sister Anna"
    return all(one.key != key for one in found) and not any(name and name in one.text.lower() for one in naming)


def _without_repeats(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that repeat an earlier one, or only say what another one of their key is not."""
    affirmed = {one.key for one in found if one.key and not (one.value or "").startswith(_DENIED)}
    kept: dict[tuple[str | None, str | None, str], Candidate] = {}
    for candidate in found:
        if not (candidate.key in affirmed and (candidate.value or "").startswith(_DENIED)):
            kept.setdefault((candidate.key, candidate.value, "" if candidate.key else candidate.text), candidate)
    return list(kept.values())
