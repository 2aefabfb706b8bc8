"""Writes a clause of a message as a statement of its author, whether or not it has a subject or a verb."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.extraction.rules import clauses
from keepsake.domain.extraction.rules.clauses import trailing_remarks
from keepsake.domain.extraction.rules.clauses.clause_filters import has_gerund_subject, is_question_or_request
from keepsake.domain.extraction.rules.clauses.normalize_clause import normalize_clause
from keepsake.domain.extraction.rules.clauses.omitted_subjects import complete
from keepsake.domain.extraction.rules.clauses.subjects import AUTHOR, expand_is, subject_first
from keepsake.domain.extraction.rules.grammar.noun_phrases import third_person_with_object
from keepsake.domain.extraction.rules.grammar.verb_phrase import bare_words
from keepsake.domain.extraction.rules.grammar.word_forms import (
    is_adverb,
    is_in,
    is_known_word,
    is_noun,
    verb_form,
)

_WORDS = {section: frozenset(entries) for section, entries in load_sections("statement_text", __package__).items()}
_AS_A = re.compile(r"^as (?=an? )", re.IGNORECASE)
_TWO_SUBJECTS = re.compile(r"^((?:my|our) [\w'-]++(?: (?!she\b|he\b)[\w'-]++)?),? (?:she|he) ", re.IGNORECASE)
_REQUEST_INSIDE = re.compile(
    r"\b(?:do not|don't|dont|please|pls)(?: ever)? (?:suggest|recommend|give|tell|send|say|show|make|use|ask|put)\b",
    re.IGNORECASE,
)
_OF_AUTHOR = frozenset({"me", "us", "my", "our"})
_MAX_FRONTED_PHRASE = 6


def first_person_words(clause: str) -> str | None:
    """The words of a clause as a statement of its author, with the subject and the auxiliary that were left out.

    None where its subject says nothing by itself ("it", "there"), and where it reads as a request.
    """
    said = _without_interjection(clause[: trailing_remarks.statement_length(clause)])
    said = expand_is(subject_first(said) or said)
    normalized = normalize_clause(_TWO_SUBJECTS.sub(r"\1 ", said))
    words, tokens = normalized.words, bare_words(normalized.words)
    is_done_to_author = tokens[:1] == ("they",) and not _OF_AUTHOR.isdisjoint(tokens)
    if not tokens or (tokens[0] in _WORDS["unclear_subjects"] and not is_done_to_author) or _is_request(words):
        return None
    if tokens[0] in AUTHOR:
        fronted = normalized.fronted_phrase
        return f"{words} {fronted}".strip() if len(fronted.split()) <= _MAX_FRONTED_PHRASE else None
    if tokens[0] in _WORDS["indefinite_subjects"]:
        return words
    if is_done_to_author:
        return words
    completed = complete(words, tokens, is_first=True, is_after_statement=False, joint="")
    return completed if len(tokens) == 1 else completed or _with_auxiliary(_AS_A.sub("", words))


def _is_request(words: str) -> bool:
    """Whether words request something, at their beginning or behind a statement."""
    is_order = words.partition(" ")[0].lower() in load_sections("clauses", clauses.__name__)["requests"]
    return is_order or is_question_or_request(words) or _REQUEST_INSIDE.search(words) is not None


def _without_interjection(clause: str) -> str:
    """The clause without a first word that no dictionary has and that cannot be a name ("yaar my roommate snores")."""
    first, _, rest = clause.partition(" ")
    is_before_clause = rest.partition(" ")[0].lower() in AUTHOR or _is_request(rest)
    return rest if is_before_clause and first.islower() and not is_known_word(first) else clause


def _with_auxiliary(words: str) -> str | None:
    """The words of "been at Tesco for years" and "saving for a house" with "I have" and "I am"; None for a request."""
    tokens = bare_words(words)
    index = next((index for index, word in enumerate(tokens[:-1]) if not is_adverb(word)), 0)
    form = verb_form(tokens[index])
    lower = words[:1].lower() + words[1:] if words[1:2].islower() else words
    if tokens[index] == "been":
        return f"I have {lower}"
    if form is None or is_in("not_verbs", tokens[index]) or has_gerund_subject(words):
        return words
    if form.is_gerund:
        return None if _has_other_verb(tokens[index + 1 :]) else f"I am {lower}"
    if form.is_past and (not form.is_participle or is_in("determiners", *tokens[index + 1 : index + 2])):
        return f"I {lower}"
    if form.is_past or form.is_participle or third_person_with_object(tokens[index:]) is not None:
        return words
    is_request = form.is_base and not (is_noun(tokens[index]) and _is_behind_noun(tokens[index + 1 :]))
    return None if is_request else words


def _has_other_verb(tokens: tuple[str, ...]) -> bool:
    """Whether another verb stands behind a gerund, which is its subject then ("being a nurse must be hard")."""
    before = ("", *tokens)
    return any(
        is_in("auxiliaries", word) and before[index] not in AUTHOR | _WORDS["unclear_subjects"]
        for index, word in enumerate(tokens)
    )


def _is_behind_noun(tokens: tuple[str, ...]) -> bool:
    """Whether words may stand behind a noun, and not behind a verb as its object."""
    return bool(tokens) and tokens[0] not in _WORDS["objects"] and not is_in("determiners", tokens[0])
