"""Applies rules to a clause: the first one that matches it and whose checks accept it makes the candidate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses import trailing_remarks
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.message.language import is_fragment
from keepsake.domain.reading.statements.across_clauses import coreference
from keepsake.domain.reading.statements.matching.build_candidate import build_candidate
from keepsake.domain.reading.statements.matching.circumstances import is_unlimited
from keepsake.domain.reading.statements.matching.load_rules import load_rules
from keepsake.domain.reading.statements.matching.rule import Rule, named_groups
from keepsake.domain.text import find_original, has_forbidden_characters

_ADVERBS_BEFORE_VERB = load_pattern("adverbs_before_verb")
_ADVERBS_AFTER_BE = load_pattern("adverbs_after_be")
_WE = re.compile(r"^we(?P<are> are)?\b", re.I)


def from_clause(clause: Clause) -> Candidate | None:
    """The candidate of the first rule that fits the clause; None where no rule does."""
    if breaks_off(clause.words):
        return None
    bare = _without_adverbs(clause.words)
    singular = _without_adverbs(_WE.sub(lambda match: "I am" if match["are"] else "I", bare))
    for words in dict.fromkeys((bare, clause.words, singular)):
        if (candidate := first_candidate(load_rules(), words, clause)) is not None:
            return candidate
    return None


def breaks_off(words: str) -> bool:
    """Whether the words are only a part of a statement: their end, whom they are about or their language is missing."""
    return trailing_remarks.is_incomplete(words) or coreference.is_unresolved(words) or is_fragment(words)


def first_candidate(rules: Iterable[Rule], words: str, clause: Clause) -> Candidate | None:
    """The candidate of the first rule whose pattern matches the words and whose checks accept the match."""
    for rule in rules:
        if (match := rule.pattern.match(words)) and is_unlimited(rule, clause):
            values = named_groups(match)
            if all(check(values, clause) for check in rule.checks):
                return build_candidate(rule, values, clause)
    return None


def _without_adverbs(words: str) -> str:
    """The clause without adverbs after "I"."""
    return _ADVERBS_AFTER_BE.sub(r"\1 ", _ADVERBS_BEFORE_VERB.sub("I ", words))


def with_original_quote(text: str, candidate: Candidate) -> Candidate | None:
    """The candidate with its quote as the text has it; None where the text has none, or one that may not be kept."""
    quote = find_original(candidate.quote, text)
    if quote is None or has_forbidden_characters(candidate.text + quote):
        return None
    return candidate if quote == candidate.quote else replace(candidate, quote=quote[:MAX_CLAUSE_LENGTH])
