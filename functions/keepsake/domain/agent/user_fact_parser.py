"""Parses an agent's statement about the person ("User prefers morning workouts") into a candidate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.agent.authority import MAX_AGENT_CONFIDENCE
from keepsake.domain.english.third_person import capitalize, third_person
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.message import is_unreadable
from keepsake.domain.reading.statements import read_statement
from keepsake.domain.screening.readable_text import is_unspaced

_SUBJECT = re.compile(
    r"\A(?:(?:the|this|our|my) )?(?:user|person|human|customer|client|member|individual)(?:['’]s)? ", re.IGNORECASE
)
_PRONOUN = re.compile(r"\A(?:they|he|she|their|his|her) (?=\S+ \S)", re.IGNORECASE)
_PLURAL = re.compile(r"\A(?:They|they) ")
_COLON = re.compile(
    r"\A(?P<what>favou?rite [\w ]{2,30}|name|nickname|birthday|pronouns|home ?town) ?[:=] ?", re.IGNORECASE
)
_HOME = re.compile(
    r"\A(?:(?:my|their|his|her) )?(?:(?:current|new|home) )?(?:residence|city|town|place of residence|location|address)"
    r"(?: is|:)(?: now)?(?: in)? (?=\S)",
    re.IGNORECASE,
)
_LIVES = re.compile(r"\A(?:(?:my|their|his|her) )?home (?:is|:) (?:now )?in (?=\S)", re.IGNORECASE)
_DIET = re.compile(
    r"\A(?:follows|keeps to|is on|eats) an? (?P<diet>vegan|vegetarian|pescatarian) diet\b", re.IGNORECASE
)
_DEGREE = re.compile(
    r"\A(?:really|truly|absolutely|very much|totally|genuinely) (?=(?:likes|loves|enjoys|hates)\b)", re.IGNORECASE
)
_NOW = re.compile(r"\A(?:(?:now|currently|actually|in fact|apparently)\b,? |note:? |fact:? )+", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def parse_fact(content: str, *, names: Sequence[str] = ()) -> Candidate | None:
    """The candidate, with a key where the rules know one; None where the statement is too short or too long.

    ``names`` are the person's own: a statement with one of them as its subject is about the person.
    """
    statement = " ".join(content.split())
    text = capitalize(_in_usual_words(_without_subject(statement, names))).rstrip(".!")
    if not (len(_WORD.findall(text)) > 1 or is_unspaced(text)) or len(text) > MAX_TEXT_LENGTH:
        return None
    candidate = read_statement(text, retracted=True)
    if candidate is not None:
        return replace(candidate, quote="", confidence=min(candidate.confidence, MAX_AGENT_CONFIDENCE))
    statement = (
        text if is_unreadable(text) else third_person(text).rstrip(".!")
    )  # English grammar holds for English alone
    return Candidate(MemoryType.FACT, Subtype.OTHER, statement, "", MAX_AGENT_CONFIDENCE, why="as_said")


def _in_usual_words(statement: str) -> str:
    """The statement in the words that the rules use, so that what is known already is not stored in other words."""
    statement = _DEGREE.sub("", _LIVES.sub("Lives in ", statement))
    return _DIET.sub(r"Is \g<diet>", statement)


def names_person(content: str, names: Sequence[str] = ()) -> bool:
    """Whether the statement calls the person "the user", or by their own name, so that it is no message of theirs."""
    statement = _NOW.sub("", " ".join(content.split()))
    return _SUBJECT.match(statement) is not None or any(_own_name(name, statement) for name in names)


def _own_name(name: str, statement: str) -> re.Match[str] | None:
    """The name of the person at the beginning of a statement."""
    return re.match(rf"{re.escape(name)}(?:['’]s)? (?=\S)", statement, re.IGNORECASE) if name else None


def _without_subject(statement: str, names: Sequence[str]) -> str:
    """The statement without "the user" at its beginning."""
    statement = _NOW.sub("", statement)
    for name in names:
        if own := _own_name(name, statement):
            return statement[own.end() :]
    if _SUBJECT.match(statement):
        return _HOME.sub("Lives in ", _SUBJECT.sub("", statement))
    if _PLURAL.match(statement):
        return f"I {statement.split(' ', 1)[1]}"
    return _COLON.sub(r"\g<what> is ", _HOME.sub("Lives in ", _PRONOUN.sub("", statement)))
