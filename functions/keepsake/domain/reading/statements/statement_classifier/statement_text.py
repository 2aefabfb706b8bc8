"""Writes a clause of a message as a statement of its author, whether or not it has a subject or a verb."""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.reading import clauses
from keepsake.domain.reading.clauses.beginnings import NOTHING, begin, beginning_of
from keepsake.domain.reading.clauses.clause_filters import is_question_or_request, statement_length
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.subjects import AUTHOR, expand_is, subject_first

_WORDS = {section: frozenset(entries) for section, entries in load_sections("statement_text", __package__).items()}
_TWO_SUBJECTS = re.compile(r"^((?:my|our) [\w'-]++(?: (?!she\b|he\b)[\w'-]++)?),? (?:she|he) ", re.IGNORECASE)
_REQUEST_INSIDE = re.compile(
    r"\b(?:do not|don't|dont|please|pls)(?: ever)? "
    r"(?:suggest|recommend|give|tell|send|say|show|make|ask|put|(?<!\bi do not )(?<!\bi don't )(?<!\bi dont )use)\b",
    re.IGNORECASE,
)
_OF_AUTHOR = frozenset({"me", "us", "my", "our"})
_MAX_FRONTED_PHRASE = 6
_MARGIN = 1.5
"""How much better than none a beginning has to fit a clause, which may stay as it is."""


def first_person_words(clause: str) -> str | None:
    """The words of a clause as a statement of its author, with the beginning that was left out.

    None where its subject says nothing by itself ("it", "there"), and where it requests or states nothing.
    """
    said = _without_interjection(clause[: statement_length(clause)])
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
    said = words[len("as ") :] if tokens[:2] in (("as", "a"), ("as", "an")) else words
    beginning = beginning_of(said, None, _MARGIN)
    if beginning == NOTHING or (not beginning and len(tokens) == 1):
        return None
    return begin(beginning, said) if beginning else words


def _is_request(words: str) -> bool:
    """Whether words request something, at their beginning or behind a statement."""
    is_order = words.partition(" ")[0].lower() in load_sections("clauses", clauses.__name__)["requests"]
    return is_order or is_question_or_request(words) or _REQUEST_INSIDE.search(words) is not None


def _without_interjection(clause: str) -> str:
    """The clause without a first word that no dictionary has and that cannot be a name ("yaar my roommate snores")."""
    first, _, rest = clause.partition(" ")
    is_before_clause = rest.partition(" ")[0].lower() in AUTHOR or _is_request(rest)
    return rest if is_before_clause and first.islower() and not is_known_word(first) else clause
