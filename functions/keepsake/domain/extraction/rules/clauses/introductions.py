"""Splits introductions ("I'm Jonas, 34, a nurse from Hamburg") into one statement for each attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.english.indefinite_article import with_article
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.word_groups import JOBS

_INTRODUCTION = re.compile(r"^(?P<name>(?:I am|my name is) (?-i:[A-Z])[\w'-]+), (?P<rest>[^;]{2,120})$", re.I)
_JOB = rf"(?:working as )?(?P<job>an? [\w -]{{3,40}}?|(?:[\w-]{{2,20}} ){{0,3}}(?:{'|'.join(sorted(JOBS))}|student))"
_PLACE = r"(?:(?:^| )(?P<where>from|(?:living |based )?in) (?P<place>(?-i:[A-Z])[\w' -]{1,40}))"
_PART = re.compile(rf"(?:and )?(?:(?P<age>\d{{2}}(?: years old)?)|{_JOB}?{_PLACE}?)", re.I)
_COMPANION = re.compile(
    rf"^(?:I|we)\b.* with (?:my|our) (?P<who>{RELATIONS}) (?P<name>(?-i:[A-Z][a-z]+(?:-[A-Z][a-z]+)?))"
    r"(?=$|,| (?:and|in|at|on|every|for|since|near)\b)",
    re.I,
)

_FRONTED_COMPANION = re.compile(
    rf"^with (?:my|our) (?P<who>{RELATIONS}) (?P<name>(?-i:[A-Z][a-z]+(?:-[A-Z][a-z]+)?))$", re.I
)


def split_introduction(words: str) -> tuple[str, ...] | None:
    """The statements of an introduction; None where a part of it is no statement."""
    match = _INTRODUCTION.match(words)
    parts = [] if match is None else [_PART.fullmatch(part.strip()) for part in match["rest"].split(",")]
    matches = [part for part in parts if part is not None]
    if match is None or len(matches) < len(parts):
        return None
    return (match["name"], *(statement for part in matches for statement in _statements(part)))


def _statements(part: re.Match[str]) -> Iterator[str]:
    """What one part of an introduction states: "34", "a nurse from Hamburg", "graphic designer in Bergen"."""
    if part["age"]:
        yield f"I am {part['age']}"
    if job := part["job"]:
        yield f"I am {job if re.match('an? ', job, re.I) else with_article(job)}"
    if part["place"]:
        yield f"I {'am from' if part['where'].lower() == 'from' else 'live in'} {part['place']}"


def companion_statement(words: str, fronted_phrase: str = "") -> tuple[str, ...]:
    """The name of the person that a statement mentions ("I live in Bath with my husband Marcus")."""
    match = _COMPANION.match(words) or _FRONTED_COMPANION.match(fronted_phrase)
    return () if match is None else (f"my {match['who']}'s name is {match['name']}",)
