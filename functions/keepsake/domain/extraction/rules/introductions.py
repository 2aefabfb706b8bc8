"""Who somebody is, told in one breath ("I'm Jonas, 34, a nurse from Hamburg"): one statement for each thing."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import RELATIONS

_IN_ONE_BREATH = re.compile(r"^(?P<name>(?:I am|my name is) (?-i:[A-Z])[\w'-]+), (?P<rest>[^;]{2,120})$", re.I)
_TOLD = re.compile(
    r"(?:and )?(?:(?P<age>\d{2}(?: years old)?)|"
    r"(?P<job>an? [\w -]{3,40}?)(?: from (?P<origin>(?-i:[A-Z])[\w' -]{1,40}))?"
    r"|from (?P<place>(?-i:[A-Z])[\w' -]{1,40}))",
    re.I,
)
_COMPANY = re.compile(
    rf"^(?:I|we)\b.* with (?:my|our) (?P<who>{RELATIONS}) (?P<name>(?-i:[A-Z][a-z]+(?:-[A-Z][a-z]+)?))"
    r"(?=$|,| (?:and|in|at|on|every|for|since|near)\b)",
    re.I,
)


def told_at_once(words: str) -> tuple[str, ...] | None:
    """The statements of an introduction, where each part of it is one."""
    match = _IN_ONE_BREATH.match(words)
    parts = [] if match is None else [_TOLD.fullmatch(part.strip()) for part in match["rest"].split(",")]
    told = [part for part in parts if part is not None]
    if match is None or len(told) < len(parts):
        return None
    places = (f"from {place}" for part in told if (place := part["origin"] or part["place"]))
    said = [*(part["age"] or part["job"] for part in told), *places]
    return (match["name"], *(f"I am {what}" for what in said if what))


def company(words: str) -> tuple[str, ...]:
    """Who is named beside what is stated ("I live in Bath with my husband Marcus")."""
    match = _COMPANY.match(words)
    return () if match is None else (f"my {match['who']}'s name is {match['name']}",)
