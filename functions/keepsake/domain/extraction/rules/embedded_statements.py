"""Finds statements inside other clauses ("As someone who avoids eggs, what …", "a gift for my son Leo")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.verbs import third_person_base
from keepsake.domain.english.word_groups import PETS
from keepsake.domain.extraction.rules.clause_reader.word_forms import is_known_word
from keepsake.domain.extraction.rules.pattern_file import PatternTable, read_toml
from keepsake.domain.extraction.rules.rule_table import read_row


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
    is_unknown_name: bool = False
    """The group ``name`` is a word that no dictionary has, as names in lower case are."""


_POSSESSIONS = load_alternations("lasting_possessions", __package__)
_ILLNESSES = load_alternations("illnesses")
_TABLE = PatternTable(
    read_toml("data/embedded.toml"), relations=RELATIONS, friends=FRIENDS, pets=PETS, **_POSSESSIONS, **_ILLNESSES
)
_FORMS = tuple(
    read_row(
        _Form,
        row,
        pattern=_TABLE.compile(row["pattern"]),
        unless=_TABLE.compile(row["unless"]) if "unless" in row else None,
    )
    for row in _TABLE["embedded"]
)
_FIRST_PERSON = {"is": "am", "was": "was", "can": "can", "cannot": "cannot", "can't": "cannot"}


def embedded_statements(sentence: str) -> Iterator[EmbeddedStatement]:
    """The statements that clauses of a sentence contain."""
    for form in _FORMS:
        if form.unless is not None and form.unless.search(sentence):
            continue
        for match in form.pattern.finditer(sentence):
            if form.is_unknown_name and is_known_word(match["name"].lower()):
                continue
            template = form.statement
            if does := match.groupdict().get("does"):
                template = template.replace(r"\g<does>", _in_first_person(does).replace("\\", ""))
            yield EmbeddedStatement(match.expand(template), match.start(), match.end(), form.only_specific)


def _in_first_person(does: str) -> str:
    verb, _, rest = does.partition(" ")
    if verb.lower() in ("does", "doesn't", "doesnt"):
        return f"do{' not' if verb.lower() != 'does' else ''} {rest}"
    return f"{_FIRST_PERSON.get(verb.lower()) or third_person_base(verb.lower())} {rest}"
