"""Extracts candidates from a message: from its clauses by rules, from what no rule reads by a classifier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from keepsake.domain.english.complete_statements import is_complete_statement
from keepsake.domain.english.grammar.verb_phrase import Subject, read_verb_phrase
from keepsake.domain.english.grammar.word_forms import is_adverb
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
from keepsake.domain.reading.statements.rule import with_original_quote
from keepsake.domain.reading.statements.rules import from_clause
from keepsake.domain.reading.statements.statement_candidate import statement_candidate
from keepsake.domain.text import MAX_READ_LENGTH, shorten_runs

_MIN_SCORE = 0.0
"""The score from which what a rule finds in a fragment is remembered."""

_HEADS = (
    "I am allergic to ", "my hobbies are ", "my interests are ",
    *(f"{who} {verb} " for who in ("I", "we") for verb in ("have", "own", "adopted", "rescued")),
)  # fmt: skip
"""Behind which a list may stand."""
_OF_SINGLE_WORDS = ("allergic to ", "are ")
_MAX_ITEMS = 3
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
    if answer := _from_answer(text, question_before(previous)):
        return [answer]
    said = [*resolve_pronouns(seen, words_before(previous))]
    found: list[Candidate] = []
    stated: list[tuple[Clause, Candidate]] = []
    read: list[Clause] = []
    for clause in said:
        candidate = from_clause(clause) or _stated_inside(clause) or resolve_correction(clause, found, recent)
        if candidate is None or (clause.is_embedded and not _adds_something(candidate, found)):
            continue
        read.append(clause)
        is_over = candidate.retracts or (candidate.corrects and "|self|has|" in (candidate.key or ""))
        is_read_as_change = is_over and _lacks_subject(clause)  # "sold the fiat", which is read with the changes
        if is_read_as_change or (clause.is_fragment and statement_score(clause) < _MIN_SCORE):
            continue
        found.append(candidate)
        stated.append((clause, candidate))
    all_stated = [*_split(stated), *classified_statements(seen, said, read)]
    all_stated.sort(key=lambda one: seen.find(one.quote))
    complete = (one for one in all_stated if not one.text or is_complete_statement(one.text))
    is_answer = asks_about_other(question_before(previous))
    own = (
        one
        for one in complete
        if not (is_note_of_other(one, text) or (is_answer and is_without_author(one)))
        and not (one.quote.isdigit() and text.count(one.quote) > 1)  # "Lost by 61 votes. 61!" is no age
    )
    return _without_repeats(filter(None, (with_original_quote(text, candidate) for candidate in own)))


def _lacks_subject(clause: Clause) -> bool:
    """Whether the subject of a clause was left out ("sold the fiat")."""
    return clause.said != "" and normalize_clause(clause.said).words != clause.words


def _adds_something(candidate: Candidate, found: Sequence[Candidate]) -> bool:
    """Whether what stands inside another clause is specific, and was not found in that clause already."""
    key = candidate.key or ""
    name = (candidate.entity_label or "").lower()
    naming = [one for one in found if one.entity_label]  # not "Hikes with their sister Anna"
    return all(one.key != key for one in found) and not any(name and name in one.text.lower() for one in naming)


def _from_answer(text: str, question: str | None) -> Candidate | None:
    """The candidate of an answer to the assistant's question ("yeah peanuts")."""
    statement = answered_statement(question, text)
    if statement is None:
        return None
    words = normalize_clause(statement).words
    clause = Clause(words, text.strip(), has_introduction=True)
    return with_original_quote(text, from_clause(clause) or statement_candidate(words, clause.quote))


def _stated_inside(clause: Clause) -> Candidate | None:
    """The candidate of what another clause contains; none where "my …" in it was the subject of a verb."""
    owned = clause.words.removeprefix("I have ")
    is_subject = owned != clause.words and read_verb_phrase(f"my {owned}") is not None
    return statement_candidate(clause.words, clause.quote) if clause.is_embedded and not is_subject else None


def _split(stated: Sequence[tuple[Clause, Candidate]]) -> list[Candidate]:
    """The candidates; one that states several things is split into these where a turn has room for them."""
    room = MAX_PER_TURN - len(stated)
    result: list[Candidate] = []
    for clause, candidate in stated:
        parts = _workplace(clause, candidate) or _items(clause.words)
        pieces = [piece for part in parts if (piece := from_clause(replace(clause, words=part))) is not None]
        if not 1 < len(parts) == len(pieces) <= min(_MAX_ITEMS, room + 1):
            pieces = [candidate]
        room -= len(pieces) - 1
        result += pieces
    return result


def _workplace(clause: Clause, candidate: Candidate) -> list[str]:
    """The statements of "I am a nurse at Aldi": the job, and for whom somebody works."""
    job, at, place = clause.words.partition(",")[0].partition(" at ")
    phrase = read_verb_phrase(clause.words)
    if phrase is None or not (candidate.key or "").endswith("|occupation"):
        return []
    who = " ".join(clause.words.split()[: len(phrase.owner.split())])
    verb = "work" if phrase.subject is Subject.AUTHOR else "works"
    return [job, f"{who} {verb}{at}{place}"] if place.removeprefix("the ")[:1].isupper() else []


def _items(words: str) -> list[str]:
    """The statements of a list: "I have a dog" and "I have two cats" of "I have a dog and two cats"."""
    said = words.split()
    words = " ".join([*said[:2], *(said[3:] if is_adverb("".join(said[2:3])) else said[2:])])  # "severely allergic"
    head = next(filter(words.startswith, _HEADS), "")
    items = words.removeprefix(head).replace(" & ", " and ").replace(", and ", " and ").replace(", ", " and ")
    found = items.split(" and ") if head else []
    is_list = not any(" " in item for item in found) or not head.endswith(_OF_SINGLE_WORDS)
    return [f"{head}{item}" for item in found] if is_list else []


def _without_repeats(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates without those that repeat an earlier one, or only say what another one of their key is not."""
    found = [*candidates]
    affirmed = {one.key for one in found if one.key and not (one.value or "").startswith(_DENIED)}
    kept: dict[tuple[str | None, str | None, str], Candidate] = {}
    for candidate in found:
        if candidate.key in affirmed and (candidate.value or "").startswith(_DENIED):
            continue
        kept.setdefault((candidate.key, candidate.value, "" if candidate.key else candidate.text), candidate)
    return list(kept.values())
