"""Applies rules to a clause: the first one that matches it and whose checks accept it makes the candidate."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.english.patterns.pattern_file import load_pattern
from keepsake.domain.english.third_person import in_singular
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses import clause_filters
from keepsake.domain.reading.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause
from keepsake.domain.reading.message.language import is_fragment
from keepsake.domain.reading.statements.across_clauses import coreference
from keepsake.domain.reading.statements.matching.build_candidate import build_candidate
from keepsake.domain.reading.statements.matching.load_rules import load_rules
from keepsake.domain.reading.statements.matching.rule import Rule, named_groups
from keepsake.domain.text import find_original, has_forbidden_characters, word_set, words

_ADVERBS = load_pattern("adverbs_around_verb")
_CIRCUMSTANCE = re.compile(rf"\b{load_alternations('circumstances')['circumstances']}\b", re.IGNORECASE)
_BEGINNING = word_set("started moved began joined got became since quit left")
"""Words of a change, which holds from then on."""
_LIMITED_KEYS = ("home", "employer", "occupation", "diet", "favorite_", "{who}|home", "{who}|occupation")
"""Beginnings of the keys of rules whose statement replaces another one."""


def from_clause(clause: Clause) -> Candidate | None:
    """The candidate of the first rule that fits the clause; None where no rule does."""
    if breaks_off(clause.words):
        return None
    bare = _without_adverbs(clause.words)
    for said in dict.fromkeys((bare, clause.words, _without_adverbs(in_singular(bare)))):
        if (candidate := first_candidate(load_rules(), said, clause)) is not None:
            return candidate
    return None


def breaks_off(said: str) -> bool:
    """Whether the words are only a part of a statement: their end, whom they are about or their language is missing."""
    return clause_filters.is_incomplete(said) or coreference.is_unresolved(said) or is_fragment(said)


def first_candidate(rules: Iterable[Rule], said: str, clause: Clause) -> Candidate | None:
    """The candidate of the first rule whose pattern matches the words and whose checks accept the match."""
    for rule in rules:
        if (match := rule.pattern.match(said)) and _is_unlimited(rule, clause):
            values = named_groups(match)
            if all(check(values, clause) for check in rule.checks):
                return build_candidate(rule, values, clause)
    return None


def _is_unlimited(rule: Rule, clause: Clause) -> bool:
    """Whether nothing ("on weekends") limits what a rule reads in a clause, so that it may replace another."""
    if rule.corrects or not rule.key.startswith(_LIMITED_KEYS) or not _BEGINNING.isdisjoint(words(clause.words)):
        return True
    return _CIRCUMSTANCE.search(f"{clause.fronted_phrase} {clause.words}") is None


def _without_adverbs(said: str) -> str:
    """The clause without adverbs after "I", and after an auxiliary."""
    return _ADVERBS.sub(r"I \g<auxiliary>", said)


def with_original_quote(text: str, candidate: Candidate) -> Candidate | None:
    """The candidate with its quote as the text has it; None where the text has none, or one that may not be kept."""
    quote = find_original(candidate.quote, text)
    if quote is None or has_forbidden_characters(candidate.text + quote):
        return None
    return candidate if quote == candidate.quote else replace(candidate, quote=quote[:MAX_CLAUSE_LENGTH])
