"""Reads what a message says about to-dos: which it opens, and what was done or is no longer wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.third_person import capitalize, third_person, to_third_person_pronouns
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.todos.load_todo_rules import RULES, TodoRule
from keepsake.domain.reading.todos.todo_statement import MAX_TODO_LENGTH, TodoStatement
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs, word_set, words

MAX_STATEMENTS = 5
"""Statements of one message that are read."""

_WORDS = load_alternations("words", __package__)
_YET = word_set("still yet")
_END = re.compile(rf"(?:,? {_WORDS['endings']}){{1,3}}$", re.IGNORECASE)
_QUESTION = re.compile(rf"\b{_WORDS['questions']}", re.IGNORECASE)
_MAX_QUESTION = 200
"""Characters of a message that may ask for to-dos; a longer one says more than that."""
_PROGRESSIVE = ("waiting ", "deciding ", "choosing ", "torn ")
"""What a to-do begins with that "am" stands before."""


def asks_for_todos(text: str) -> bool:
    """Whether the message asks what its author wanted to do: "what's on my to-do list?"."""
    return len(text) <= _MAX_QUESTION and _QUESTION.search(" ".join(normalize_apostrophes(text).split())) is not None


def read_todos(text: str) -> tuple[TodoStatement, ...]:
    """What a message says about to-dos, in the order said; most messages say nothing."""
    found = dict.fromkeys(
        statement
        for clause in clauses(shorten_runs(text[:MAX_READ_LENGTH]))
        if not clause.is_embedded and (statement := next(_statements(clause), None)) is not None
    )
    return tuple(found)[:MAX_STATEMENTS]


def _statements(clause: Clause) -> Iterator[TodoStatement]:
    """What each rule that fits the clause makes of it, in the order of the rules."""
    for rule in RULES:
        match = rule.pattern.match(clause.words)
        if match is None or (rule.needs_yet and _YET.isdisjoint(words(clause.words))):
            continue
        if rule.effect == "dropped" and clause.is_elliptic:
            continue  # "my wife has to call the dentist, I don't" compares, and drops nothing
        # The quote has what was said before the subject ("tomorrow I have to …").
        is_dated = names_day(clause.words) or names_day(clause.fronted_phrase)
        if (rule.needs_date and not is_dated) or (clause.has_request and rule.effect == "open" and not is_dated):
            continue
        text = _text(rule, match, clause)
        if text:
            yield TodoStatement(rule.effect, text, clause.quote, rule.kind)


def _text(rule: TodoRule, match: re.Match[str], clause: Clause) -> str:
    """The text of the to-do in the third person; empty where the words do not have the form."""
    what = _END.sub("", match["what"].strip())
    match rule.form:
        case "past":
            what = _from_past(what)
        case "promise":
            what = f"{what} (promised {match['who']})"
        case "decision":
            what = f"decide {what.removeprefix('yet ')}"
        case "clause":
            verb = "am " if what.casefold().startswith(_PROGRESSIVE) else ""
            return third_person(f"I {verb}{what}")[:MAX_TODO_LENGTH]
        case "base" if what.casefold().startswith(("not ", "never ")):
            return ""
    if rule.effect == "open" and clause.fronted_phrase and names_day(clause.fronted_phrase) and not names_day(what):
        what = f"{what} {clause.fronted_phrase.strip(' ,').lower()}"
    return capitalize(to_third_person_pronouns(what))[:MAX_TODO_LENGTH]


def _from_past(what: str) -> str:
    """The phrase with its first word, a verb in the past, in the base form ("booked it": "book it"); else nothing."""
    verb, _, rest = what.partition(" ")
    known = known_lemmas(verb.lower(), "VERB")
    is_past = bool(known) and known[0] != verb.lower() and not verb.lower().endswith(("ing", "s"))
    return f"{known[0]} {rest}" if is_past else ""
