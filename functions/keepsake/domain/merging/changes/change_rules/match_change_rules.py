"""Matches a message with the rules for changes: its clauses as wholes, and requests anywhere in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.merging.changes.change_rules.load_change_rules import ChangeRule, load_change_rules
from keepsake.domain.merging.changes.change_statement import ChangeMatch
from keepsake.domain.merging.changes.change_words import OF_OTHERS, WORDS
from keepsake.domain.text import normalize_apostrophes

RULES = load_change_rules()

_NOT_SO = re.compile(rf"\b{WORDS['not_so']}\b", re.IGNORECASE)
_LONG_AGO = re.compile(rf"\b{WORDS['long_ago']}\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n]")


def match_clause(clause: Clause, text: str) -> Iterator[ChangeMatch]:
    """The rules that a clause of the message matches."""
    for index, rule in enumerate(RULES):
        match = None if rule.is_request else rule.pattern.match(clause.words)
        if match is not None and not (rule.unless and rule.unless.search(text)):
            yield _change_match(index, match)


def match_requests(text: str) -> Iterator[ChangeMatch]:
    """The rules for how the author wants to be answered that a message matches: no clause contains a request."""
    words = normalize_apostrophes(" ".join(text.split()))
    for index, rule in enumerate(RULES):
        match = _find_request(rule, words) if rule.is_request else None
        if match is not None and not (rule.unless and rule.unless.search(words)):
            yield _change_match(index, match)


def _find_request(rule: ChangeRule, words: str) -> re.Match[str] | None:
    """Where words request another way of answering; None where they tell of others, or of wishes."""
    match = rule.pattern.search(words)
    if match is None or _LONG_AGO.search(words):
        return None
    before = _SENTENCE_END.split(words[: match.start()])[-1]
    return None if _NOT_SO.search(before) or OF_OTHERS.search(before) else match


def _change_match(index: int, match: re.Match[str]) -> ChangeMatch:
    groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    return ChangeMatch(index, *(groups.get(name, "") for name in ("object", "new")))
