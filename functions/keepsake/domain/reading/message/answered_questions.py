"""Reads an answer to the assistant's question: "yeah peanuts" after "Do you have any allergies?" is a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from keepsake.domain.english.indefinite_article import with_article
from keepsake.domain.english.patterns.pattern_file import PatternTable, read_toml
from keepsake.domain.english.patterns.rule_table import read_row
from keepsake.domain.reading.message.normalize_message import normalize_message
from keepsake.domain.text import normalize_apostrophes

_MAX_ANSWER = 80
_MAX_WORDS = 8
_LAST_QUESTION = re.compile(r"[^.!?\n]{3,300}\?[^?]{0,40}$")


@dataclass(frozen=True, slots=True)
class _Question:
    pattern: re.Pattern[str]
    statement: str
    yes: str = ""
    no: str = ""
    number_only: bool = False
    article: bool = False
    needs_number: bool = False
    diet: bool = False


_TABLE = PatternTable(read_toml("data/answered_questions.toml", __package__))
_YES, _NO, _OPENING, _OWN_CLAUSE, _REASON, _DIET, _COUNT, _ROLE = (
    _TABLE.compile(f"{{{name}}}")
    for name in ("plain_yes", "plain_no", "opening", "own_clause", "reason", "diet", "count", "role")
)
_QUESTIONS = tuple(read_row(_Question, row, pattern=_TABLE.compile(row["pattern"])) for row in _TABLE["question"])


def answered_statement(question: str | None, message: str) -> str | None:
    """The statement that a message makes as the answer to a question; None where it is no plain answer."""
    question_match = _LAST_QUESTION.search(normalize_apostrophes(question or "").strip()[-400:])
    if question_match is None:
        return None
    answer = normalize_message(normalize_apostrophes(message[: 2 * _MAX_ANSWER])).text.strip(" .!,")
    if not answer or len(answer) > _MAX_ANSWER:
        return None
    for form in _QUESTIONS:
        if match := form.pattern.search(question_match[0].strip(" *_")):
            return _statement(form, match, answer)
    return None


def _statement(form: _Question, match: re.Match[str], answer: str) -> str | None:
    for pattern, template in ((_YES, form.yes), (_NO, form.no)):
        if pattern.fullmatch(answer):
            return match.expand(template) if template else None
    opening = _OPENING.match(answer)
    value = _REASON.split(answer[opening.end() :] if opening else answer, maxsplit=1)[0]
    if not form.statement or _OWN_CLAUSE.search(value) or not 0 < len(value.split()) <= _MAX_WORDS:
        return None
    if form.number_only and not value.isdigit():
        return None
    if form.needs_number and not _COUNT.match(value):
        return None
    if form.article and not _ROLE.match(value):
        value = with_article(value)
    if form.diet and _DIET.fullmatch(value):
        return f"I am {value}"
    statement = match.expand(form.statement).replace("{answer}", value)
    return None if " 's " in statement or "my 's" in statement else statement
