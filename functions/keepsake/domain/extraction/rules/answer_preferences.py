"""Finds how the person wants to be answered: a closed set of requests, each as a statement with a listed value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.extraction.rules.embedded_statements import EmbeddedStatement
from keepsake.domain.extraction.rules.pattern_file import insert_fragments, read_fragments, read_toml


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    statement: str
    durable: bool


_FILE = read_toml("data/answer_preferences.toml")
LANGUAGES = "|".join(load_lines("languages"))
_FRAGMENTS = read_fragments(_FILE["fragments"], {"languages": f"(?:{LANGUAGES})"})
_MEASURE = re.compile(rf"(?P<measure>{_FRAGMENTS['measures']}) units$")
_DURABLE = re.compile(rf"\b{_FRAGMENTS['durable']}\b", re.IGNORECASE)
_FORMS = tuple(
    _Form(
        re.compile(insert_fragments(row["pattern"], _FRAGMENTS), re.IGNORECASE),
        row["statement"],
        row.get("durable", False),
    )
    for row in _FILE["preference"]
)


def answer_preferences(sentence: str) -> Iterator[EmbeddedStatement]:
    """What a sentence asks of all answers, at most one statement for each form."""
    for form in _FORMS:
        match = form.pattern.search(sentence)
        if match is not None and (not form.durable or _DURABLE.search(sentence)):
            language = (match.groupdict().get("language") or "").capitalize()
            template = form.statement.replace(r"\g<language>", language)
            for group in ("format", "units"):
                template = template.replace(rf"\g<{group}>", (match.groupdict().get(group) or "").lower())
            statement = _MEASURE.sub(r"measurements in \g<measure>", match.expand(template))
            yield EmbeddedStatement(statement, match.start(), match.end())
