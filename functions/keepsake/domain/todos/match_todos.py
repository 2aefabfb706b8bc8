"""Finds the open to-dos that a message closes, and those that it repeats."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keepsake.domain.english.lemmas import known_lemmas
from keepsake.domain.english.similarity import content_words, says_the_same
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.reading.todos import TodoStatement
from keepsake.domain.text import stem, word_set, words
from keepsake.domain.todos.todo import OpenTodo

_TIMES = word_set(
    "today tomorrow tonight yesterday morning afternoon evening night week weekend month year day "
    "before around early late last next soon finally said promised still already just"
)
_TIME_WORDS = frozenset(map(stem, (*_TIMES, *map(str.lower, (*MONTHS, *WEEKDAYS)))))
_COMPLETION = frozenset(map(stem, word_set("finish complete do hand submit send sort settle manage get decide file")))
"""Verbs that say of any to-do that it is done."""
_DATE = re.compile(r"\([^)]{0,40}\)|\b\d{1,4}\b")


def closed_todos(statement: TodoStatement, todos: Sequence[OpenTodo]) -> list[OpenTodo]:
    """The to-dos that a statement closes: all whose words it has, else the one that fits best, if one does."""
    if statement.effect == "open":
        return []
    said = _stems(statement.text)
    if complete := [todo for todo in todos if len(wanted := _stems(todo.text)) > 1 and wanted <= said]:
        return complete
    overlaps = [(overlap, todo) for todo in todos if (overlap := _overlap(statement, said, todo))]
    best = max((overlap for overlap, _ in overlaps), default=0)
    found = [todo for overlap, todo in overlaps if overlap == best]
    return found if len(found) == 1 else []


def repeated_todo(text: str, todos: Sequence[OpenTodo]) -> OpenTodo | None:
    """The open to-do that says the same, its dates left out."""
    wanted = _stems(text)
    return next((todo for todo in todos if _stems(todo.text) == wanted or says_the_same(todo.text, text)), None)


def _overlap(statement: TodoStatement, said: set[str], todo: OpenTodo) -> int:
    """How many words of the to-do were said, where enough of them were."""
    wanted, verb = _stems(todo.text), _verb(todo.text)
    objects = wanted - {verb}
    spoken_verb = _verb(statement.text)
    spoken_objects = said - {spoken_verb} if statement.effect == "done" else said
    shared = len(wanted & said)
    if not objects & said:
        return 0
    has_verb = verb in said or spoken_verb in _COMPLETION or statement.effect == "dropped"
    covers = objects <= said or (spoken_objects and spoken_objects <= wanted)
    is_named = spoken_verb in objects and said <= wanted  # "the report is done" names only the thing
    return shared if covers and (has_verb or is_named) else 0


def _verb(text: str) -> str:
    first = next(iter(words(text)), "")
    return stem(next(iter(known_lemmas(first, "VERB")), first))


def _stems(text: str) -> set[str]:
    """The stems that identify a to-do: verbs in the base form, without dates."""
    tokens = words(_DATE.sub(" ", text))
    lemmas = " ".join(_base(token) for token in tokens)
    return content_words(lemmas) - _TIME_WORDS


def _base(token: str) -> str:
    return next(iter(known_lemmas(token, "VERB")), token) if token.endswith(("ed", "ing", "t", "d")) else token
