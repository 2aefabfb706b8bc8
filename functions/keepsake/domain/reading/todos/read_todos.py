"""Reads what a message says about to-dos, by ``data/todo_rules.toml``: what to do, and what was done or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.patterns.pattern_file import PatternTable, read_row, read_toml
from keepsake.domain.english.third_person import capitalize, third_person, to_third_person_pronouns
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.todos.todo_statement import MAX_TODO_LENGTH, Effect, TodoKind, TodoStatement
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs

_MAX_STATEMENTS = 5
"""Statements of one message that are read."""
_MAX_QUESTION = 200
"""Characters of a message that may ask for to-dos; a longer one says more than that."""
_PROGRESSIVE = ("waiting ", "deciding ", "choosing ", "torn ")
"""What a to-do begins with that "am" stands before."""
_WORDS = load_alternations("words", __package__)
_END = re.compile(rf"(?:,? {_WORDS['endings']}){{1,3}}$", re.IGNORECASE)
_QUESTION = re.compile(rf"\b{_WORDS['questions']}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TodoRule:
    """A pattern of a clause, what it says about to-dos, and how its group ``what`` becomes a text."""

    pattern: re.Pattern[str]
    effect: Effect
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]
    """Messages from which nothing of this effect follows."""
    kind: TodoKind = TodoKind.COMMITMENT
    form: Literal["base", "past", "clause", "decision"] = "base"
    needs_date: bool = False
    """Whether the clause has to name a day."""


def _read_rule(row: Mapping[str, Any], patterns: PatternTable) -> TodoRule:
    form, kind = row.get("form", "base"), TodoKind(row.get("kind", TodoKind.COMMITMENT))
    pattern = patterns.compile(row["pattern"], "^(?:{})$")
    return read_row(TodoRule, row, pattern=pattern, effect=row["effect"], kind=kind, form=form)


_TABLE = PatternTable(read_toml("data/todo_rules.toml", __package__))
RULES = tuple(_read_rule(row, _TABLE) for row in _TABLE["rule"])
"""The rules in the order in which they are tried."""


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
    return tuple(found)[:_MAX_STATEMENTS]


def _statements(clause: Clause) -> Iterator[TodoStatement]:
    """What each rule that fits the clause makes of it, in the order of the rules."""
    for rule in RULES:
        match = rule.pattern.match(clause.words)
        if match is None:
            continue
        # The fronted phrase is what was said before the subject ("tomorrow I have to …").
        is_dated = names_day(clause.words) or names_day(clause.fronted_phrase)
        if not is_dated and (rule.needs_date or (clause.has_request and rule.effect == "open")):
            continue
        if text := _text(rule, match, clause):
            yield TodoStatement(rule.effect, text, clause.quote, rule.kind)


def _text(rule: TodoRule, match: re.Match[str], clause: Clause) -> str:
    """The text of the to-do in the third person; empty where the words do not have the form."""
    said = {name.rstrip("2"): words for name, words in match.groupdict().items() if words}  # one a list of patterns
    what = _END.sub("", said["what"].strip())
    match rule.form:
        case "past":
            what = _from_past(what)
        case "decision":
            what = f"decide {what.removeprefix('yet ')}"
        case "clause":
            verb = "am " if what.casefold().startswith(_PROGRESSIVE) else ""
            return third_person(f"I {verb}{what}")[:MAX_TODO_LENGTH]
        case "base":
            what = "" if what.casefold().startswith(("not ", "never ")) else what
    if "who" in said:
        what = f"{what} (promised {said['who']})"
    if rule.effect == "open" and names_day(clause.fronted_phrase) and not names_day(what):
        what = f"{what} {clause.fronted_phrase.strip(' ,').lower()}"
    return capitalize(to_third_person_pronouns(what))[:MAX_TODO_LENGTH]


def _from_past(what: str) -> str:
    """The phrase with its first word, a verb in the past, in the base form ("booked it": "book it"); else nothing."""
    verb, _, rest = what.partition(" ")
    known = known_lemmas(verb.lower(), "VERB")
    is_past = bool(known) and known[0] != verb.lower() and not verb.lower().endswith(("ing", "s"))
    return f"{known[0]} {rest}" if is_past else ""
