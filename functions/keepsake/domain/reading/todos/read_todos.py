"""Reads what a message says about to-dos, by ``data/todo_rules.toml``: what to do, and what was done or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import SkipValidation
from pydantic.dataclasses import dataclass

from keepsake.domain.english.dates import names_day
from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.patterns.pattern_file import ROW, Examples, read_toml
from keepsake.domain.english.patterns.phrase_forms import Form, FormReader, find, find_at
from keepsake.domain.english.third_person import capitalize, third_person, to_third_person_pronouns
from keepsake.domain.reading.clauses.split_clauses import Clause, clauses
from keepsake.domain.reading.todos.todo_statement import MAX_TODO_LENGTH, Effect, TodoKind, TodoStatement
from keepsake.domain.text import MAX_READ_LENGTH, normalize_apostrophes, shorten_runs

_MAX_STATEMENTS = 5
"""Statements of one message that are read."""
_MAX_QUESTION = 200
"""Characters of a message that may ask for to-dos; a longer one says more than that."""
_MIN_LENGTH = 3
_MARKS = ".;:!?()\"'"
_TABLE = read_toml("data/todo_rules.toml", __package__)
_FORMS = FormReader(_TABLE["lists"])
_QUESTIONS, _ENDINGS = _FORMS.read("{question}"), _TABLE["endings"]


@dataclass(frozen=True, slots=True, config=ROW)
class TodoRule:
    """Forms of a clause, what it says about to-dos, and how its slot ``what`` becomes a text."""

    forms: SkipValidation[tuple[Form, ...]]
    effect: Effect
    examples: Examples
    counterexamples: Examples
    """Messages from which nothing of this effect follows."""
    kind: TodoKind = TodoKind.COMMITMENT
    turn: Literal["base", "past", "state", "clause", "decision"] = "base"
    needs_date: bool = False
    """Whether the clause has to name a day."""
    begins: SkipValidation[tuple[Form, ...]] = ()
    begins_not: SkipValidation[tuple[Form, ...]] = ()
    """With what the slot has to begin, and must not."""
    has: SkipValidation[tuple[Form, ...]] = ()
    has_not: SkipValidation[tuple[Form, ...]] = ()
    """What the clause has to have, and must not."""

    def match(self, words: Sequence[str]) -> tuple[int, int] | None:
        """The indexes of the words of the to-do in a clause; None where it has none of the forms."""
        for found in find_at(self.forms, words, lambda _, *span: self._takes(words, *span)):
            if found.end == len(words):
                is_so = (not self.has or find(self.has, words)) and not find(self.has_not, words)
                return found.slots["what"] if is_so else None
        return None

    def _takes(self, words: Sequence[str], start: int, end: int) -> bool:
        is_long_enough = end - start > 1 or (self.effect != "open" and len(words[start]) >= _MIN_LENGTH)
        begins = not self.begins or _stands_at(self.begins, words, start)
        return is_long_enough and begins and not _stands_at(self.begins_not, words, start)


def _read_rule(row: Mapping[str, Any]) -> TodoRule:
    names = ("forms", "begins", "begins_not", "has", "has_not")
    forms = {name: _FORMS.read(row[name]) for name in names if name in row}
    return TodoRule(**{**row, **forms})


def _stands_at(forms: Sequence[Form], words: Sequence[str], at: int) -> bool:
    """Whether one of the forms stands at a place."""
    return next(find_at(forms, words, lambda *_: False, at), None) is not None


RULES = tuple(map(_read_rule, _TABLE["rule"]))
"""The rules in the order in which they are tried."""


def asks_for_todos(text: str) -> bool:
    """Whether the message asks what its author wanted to do: "what's on my to-do list?"."""
    said = normalize_apostrophes(text).lower().replace("?", " ? ").split()
    return len(text) <= _MAX_QUESTION and find(_QUESTIONS, [word.strip(".,;:!") for word in said]) is not None


def read_todos(text: str) -> tuple[TodoStatement, ...]:
    """What a message says about to-dos, in the order said; most messages say nothing."""
    said = (clause for clause in clauses(shorten_runs(text[:MAX_READ_LENGTH])) if not clause.is_embedded)
    found = filter(None, map(_statement, said))
    return tuple(dict.fromkeys(found))[:_MAX_STATEMENTS]


def _statement(clause: Clause) -> TodoStatement | None:
    """What the first rule that fits the clause makes of it."""
    said = clause.words.split()
    words = [word.lower().strip(_MARKS) for word in said]
    # The fronted phrase is what was said before the subject ("tomorrow I have to …").
    is_dated = names_day(clause.words) or names_day(clause.fronted_phrase)
    for rule in RULES:
        span = rule.match(words)
        if span is None or (not is_dated and (rule.needs_date or (clause.has_request and rule.effect == "open"))):
            continue
        if text := _text(rule, " ".join(said[slice(*span)]), clause.fronted_phrase):
            return TodoStatement(rule.effect, text, clause.quote, rule.kind)
    return None


def _text(rule: TodoRule, said: str, fronted_phrase: str) -> str:
    """The text of the to-do in the third person; empty where the words do not have the form."""
    ending = next((one for one in _ENDINGS if said.lower().endswith(f" {one}")), "")
    what = said[: len(said) - len(ending)].rstrip(" ,")
    match rule.turn:
        case "past":
            what = _from_past(what)
        case "decision":
            what = f"decide {what}"
        case "state":
            what = f"is {what}"
        case "clause":
            what = third_person(f"I {what}")
    if rule.effect == "open" and names_day(fronted_phrase) and not names_day(what):
        what = f"{what} {fronted_phrase.strip(' ,').lower()}"
    return capitalize(to_third_person_pronouns(what))[:MAX_TODO_LENGTH]


def _from_past(what: str) -> str:
    """The phrase with its first word, a verb in the past, in the base form ("booked it": "book it"); else nothing."""
    verb, _, rest = what.partition(" ")
    known = known_lemmas(verb.lower(), "VERB")
    is_past = bool(known) and known[0] != verb.lower() and not verb.lower().endswith(("ing", "s"))
    return f"{known[0]} {rest}" if is_past and rest else ""
