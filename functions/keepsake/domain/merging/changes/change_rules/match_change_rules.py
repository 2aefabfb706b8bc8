"""Matches a message with the rules for changes: its clauses as wholes, and the signs that may stand anywhere in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from keepsake.domain.extraction.rules.clauses.split_clauses import Clause
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.change_rules.load_change_rules import ChangeRule, load_change_rules
from keepsake.domain.merging.changes.change_statement import ChangeMatch
from keepsake.domain.merging.changes.change_words import OF_OTHERS, WORDS
from keepsake.domain.text import normalize_apostrophes

RULES = load_change_rules()

_NOT_SO = re.compile(rf"\b{WORDS['not_so']}\b", re.IGNORECASE)
_LONG_AGO = re.compile(rf"\b{WORDS['long_ago']}\b", re.IGNORECASE)
_WITH_AUTHOR = re.compile(r"\b(?:my )?[\w-]{1,20} and (?:I|me)\b|\bme (?:and|n) (?:my )?[\w-]{1,20}", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n]")


def has_sign(text: str) -> bool:
    """Whether a message has a sign of a change, whoever it is about."""
    return any(rule.pattern.search(text) for rule in RULES if rule.is_sign)


def match_clause(clause: Clause, text: str, recent: Sequence[Memory]) -> Iterator[ChangeMatch]:
    """The rules that a clause of the message matches; ``recent`` says who "he" is."""
    forms = dict.fromkeys((clause.words, normalize_apostrophes(clause.quote)))
    for index, rule in enumerate(RULES):
        if rule.is_request:
            continue
        match = (
            next(filter(None, (_find_sign(rule, words) for words in forms)), None)
            if rule.is_sign
            else rule.pattern.match(clause.words)
        )
        if match is None or (rule.unless and rule.unless.search(text)):
            continue
        found = _change_match(index, match)
        if found.relative.lower() in ("he", "she"):
            found = replace(found, relative=_last_relative(recent))
        if found.relative or not rule.names_relative:
            yield found


def match_requests(text: str) -> Iterator[ChangeMatch]:
    """The rules for how the author wants to be answered that a message matches: no clause contains a request."""
    words = normalize_apostrophes(" ".join(text.split()))
    for index, rule in enumerate(RULES):
        match = _find_sign(rule, words) if rule.is_request else None
        if match is not None and not (rule.unless and rule.unless.search(words)):
            yield _change_match(index, match)


def _find_sign(rule: ChangeRule, words: str) -> re.Match[str] | None:
    """Where words have a sign of a change of the author's life; None where they tell of others, or of wishes."""
    match = rule.pattern.search(words)
    if match is None or _LONG_AGO.search(words):
        return None
    before = _SENTENCE_END.split(words[: match.start()])[-1]
    return None if _NOT_SO.search(before) or OF_OTHERS.search(_WITH_AUTHOR.sub("", before)) else match


def _last_relative(recent: Sequence[Memory]) -> str:
    """The relation of the person that the newest memory is about, where it is a relative; else empty."""
    return parse_key(recent[0].key).relation if recent else ""


def _change_match(index: int, match: re.Match[str]) -> ChangeMatch:
    groups = {name.rstrip("0123456789"): value for name, value in match.groupdict().items() if value}
    return ChangeMatch(index, *(groups.get(name, "") for name in ("object", "new", "relative")))
