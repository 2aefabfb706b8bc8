"""Finds statements inside other clauses ("As someone who avoids eggs, what …"), and how the person wants answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.verbs import third_person_base
from keepsake.domain.english.word_groups import LANGUAGES, PETS
from keepsake.domain.extraction.rules.grammar.word_forms import is_known_word
from keepsake.domain.extraction.rules.patterns.pattern_file import PatternTable, read_toml
from keepsake.domain.extraction.rules.patterns.rule_table import read_row


@dataclass(frozen=True, slots=True)
class EmbeddedStatement:
    """A statement and where its words stand; ``only_specific`` where the words may be a figure of speech."""

    words: str
    start: int
    end: int
    only_specific: bool = False


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    statement: str
    only_specific: bool = False
    unless: re.Pattern[str] | None = None
    """What anywhere in the sentence shows that it is not so."""
    durable: bool = False
    """It counts only where the sentence asks for more than this answer ("from now on")."""
    is_unknown_name: bool = False
    """The group ``name`` is a word that no dictionary has, as names in lower case are."""


_STATEMENTS = PatternTable(
    read_toml("data/embedded.toml", __package__),
    relations=RELATIONS,
    friends=FRIENDS,
    pets=PETS,
    **load_alternations("illnesses"),
)
_PREFERENCES = PatternTable(read_toml("data/answer_preferences.toml", __package__), languages=f"(?:{LANGUAGES})")
_DURABLE = _PREFERENCES.compile(r"\b{durable}\b")
_MEASURE = _PREFERENCES.compile("{measures}")
_FIRST_PERSON = {"is": "am", "was": "was", "can": "can", "cannot": "cannot", "can't": "cannot"}


def _read_forms(table: PatternTable, name: str) -> tuple[_Form, ...]:
    return tuple(
        read_row(
            _Form,
            row,
            pattern=table.compile(row["pattern"]),
            unless=table.compile(row["unless"]) if "unless" in row else None,
        )
        for row in table[name]
    )


@cache
def load_forms() -> tuple[tuple[_Form, ...], tuple[_Form, ...]]:
    """The forms of statements in clauses, and those of preferences; compiled once, where messages are read."""
    return _read_forms(_STATEMENTS, "embedded"), _read_forms(_PREFERENCES, "preference")


def embedded_statements(sentence: str) -> Iterator[EmbeddedStatement]:
    """The statements that clauses of a sentence contain."""
    return _find(load_forms()[0], sentence)


def answer_preferences(sentence: str) -> Iterator[EmbeddedStatement]:
    """What a sentence asks of all answers: a closed set of requests, each as a statement with a listed value."""
    return _find(load_forms()[1], sentence)


def _find(forms: Iterable[_Form], sentence: str) -> Iterator[EmbeddedStatement]:
    is_durable = _DURABLE.search(sentence) is not None
    for form in forms:
        if form.durable and not is_durable:
            continue
        for match in form.pattern.finditer(sentence):
            if form.unless is not None and form.unless.search(sentence):
                break
            if form.is_unknown_name and is_known_word(match["name"].lower()):
                continue
            yield EmbeddedStatement(_statement(form, match), match.start(), match.end(), form.only_specific)


def _statement(form: _Form, match: re.Match[str]) -> str:
    """The statement that the words of a match make."""
    template = form.statement
    for name, said in match.groupdict().items():
        if said and name in _WRITTEN:
            template = template.replace(rf"\g<{name}>", _WRITTEN[name](said).replace("\\", ""))
    return match.expand(template)


def _in_first_person(does: str) -> str:
    verb, _, rest = does.partition(" ")
    if verb.lower() in ("does", "doesn't", "doesnt"):
        return f"do{' not' if verb.lower() != 'does' else ''} {rest}"
    return f"{_FIRST_PERSON.get(verb.lower()) or third_person_base(verb.lower())} {rest}"


def _with_unit(units: str) -> str:
    """Units as they are preferred: "metric units", "measurements in miles"."""
    return f"measurements in {units.lower()}" if _MEASURE.fullmatch(units) else f"{units.lower()} units"


_WRITTEN: Mapping[str, Callable[[str], str]] = {
    "does": _in_first_person,
    "language": str.capitalize,
    "format": str.lower,
    "units": _with_unit,
}
"""The groups that are written in another form than they are said."""
