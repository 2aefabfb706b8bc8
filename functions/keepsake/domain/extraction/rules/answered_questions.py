"""Reads an answer to the assistant's question: "yeah peanuts" after "Do you have any allergies?" is a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from keepsake.domain.english.indefinite_article import with_article
from keepsake.domain.extraction.rules.normalize_message import normalize_message
from keepsake.domain.extraction.rules.pattern_file import PatternTable, read_toml
from keepsake.domain.extraction.rules.rule_table import read_row
from keepsake.domain.text import normalize_apostrophes

_MAX_ANSWER = 80
_MAX_WORDS = 8
_LAST_QUESTION = re.compile(r"[^.!?\n]{3,300}\?[^?]{0,40}$")
_YES = re.compile(
    r"(?:yes|yeah|yep|yup|ya|sure|i am|i do|correct|of course|definitely)(?:[\s,.!]+(?:i am|i do|both))?", re.I
)
_NO = re.compile(
    r"(?:no|nope|nah|not really|i'm not|i am not|i don't|none|nothing)(?:[\s,.!]+(?:i'm not|i don't|none))?", re.I
)
_OPENING = re.compile(
    r"(?:(?:yes|yeah|yep|yup|ya|well|so|um+|uh+|hm+|oh|ok|okay|just|mostly|mainly|only|i guess|it's|its|they're|"
    r"that would be|currently|now|unfortunately|probably)\b[\s,.!:]{1,5})+",
    re.I,
)
_OWN_CLAUSE = re.compile(
    r"\b(?:i|i'm|im|i've|my|we|our|you|your|what|why|how|who|where|when|not|maybe|depends)\b|[?*\n]", re.I
)
_REASON = re.compile(
    r"(?:[,;.]| -)\s{1,4}(?=(?:i|i'm|im|it|it's|they|they're|he|she|that|the|so|which|but|my|we|always|both)\b)|"
    r",? (?=(?:because|since|cos|cuz|as i|but)\b)",
    re.I,
)
"""Where the answer ends and the person goes on ("mushrooms, i hate the texture")."""
_DIET = re.compile(
    r"(?:an? )?(?:vegan|vegetarian|pescatarian|halal|kosher|gluten[- ]free|dairy[- ]free|lactose intolerant|coeliac|"
    r"celiac)",
    re.I,
)


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


_TABLE = PatternTable(read_toml("data/answered_questions.toml"))
_QUESTIONS = tuple(read_row(_Question, row, pattern=_TABLE.compile(row["pattern"])) for row in _TABLE["question"])


def answered_statement(question: str | None, message: str) -> str | None:
    """The statement that a message makes as the answer to a question; None where it is no plain answer."""
    answer = normalize_message(normalize_apostrophes(message[: 2 * _MAX_ANSWER])).text.strip(" .!,")
    question_match = _LAST_QUESTION.search(normalize_apostrophes(question or "").strip()[-400:])
    if question_match is None or not answer or len(answer) > _MAX_ANSWER:
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
    if form.needs_number and not re.match(r"(?:an?|one|two|three|four|five|six|\d)\b", value, re.I):
        return None
    if form.article and not re.match(r"(?:an?|the|retired|unemployed|self)\b", value, re.I):
        value = with_article(value)
    if form.diet and _DIET.fullmatch(value):
        return f"I am {value}"
    statement = match.expand(form.statement).replace("{answer}", value)
    return None if " 's " in statement or "my 's" in statement else statement
