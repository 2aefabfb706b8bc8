"""Recognizes what states nothing: questions, requests, hypotheses, hedges, jokes, and remarks behind a statement."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Sequence

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.load_word_lists import load_alternations, load_sections

_PATTERNS = load_alternations("clause_filters")
_WORDS = {section: frozenset(entries) for section, entries in load_sections("phrases", __package__).items()}
_MAX_PHRASE = 5
_MAX_BEGINNING = 120
_HEDGE = re.compile(_PATTERNS["hedges"], re.I)
_WOULD_LIKE = ("I would love to ", "I would like to ")
_GOALS = ("I would love to learn ", "I would like to learn ")
_SOME_DAY = (" someday", " some day", " one day")
_JOKE = re.compile(f"{_PATTERNS['jokes']}|{_PATTERNS['sarcasm']}", re.I)
_MARKUP = re.compile(
    r"&(?:#?\w{1,10});|-{3,}|={3,}|\[/?\w+\]|</|/>|\{\{|\}\}|\$\{|<\||\|>|(?:\b[^\W\d_][-._*~]){3,}|(?:\b[a-z] ){4,}"
    r"|[\u00ad\u180e\u200b\u2060-\u2064\ufeff\u115f\u1160\u3164\uffa0]",
    re.I,
)
_INTRODUCTION = re.compile(_PATTERNS["introductions"], re.I)
_NO_DEGREE = "".join(rf"(?<!\b{word})" for word in _WORDS["before_degree"])
_REMARK = re.compile(
    rf"{_PATTERNS['remarks']}|"
    rf"{_NO_DEGREE},?\s{{1,4}}so\b(?! (?:(?:i|we) (?:can|could)|that|much|many|far|little|few|long|called|often)\b)",
    re.I,
)
_STRANDED = re.compile(_PATTERNS["stranded"], re.I)
_MIN_LENGTH = 6
_RELATIVE = re.compile(
    r"^(?P<who>(?:my|our) [\w' -]{2,40}), (?:who|which) (?P<aside>[^,]{2,120}), (?P<main>.+)$", re.I | re.S
)


def has_introduction(text: str) -> bool:
    """Whether the message greets, or its author introduces themselves ("I'm Ada, I live in Turin")."""
    return _INTRODUCTION.search(text) is not None


def is_question_or_request(clause: str) -> bool:
    """Whether the clause is a question or a request."""
    words = _without_leading_words(clause[:_MAX_BEGINNING])
    if words and not words[0].endswith("n't"):
        words = (words[0].partition("'")[0], *words[1:])  # "what's"
    return phrase_length(words, _WORDS["asking"]) > phrase_length(words, _WORDS["not_asking"])


def is_persistent_instruction(sentence: str) -> bool:
    """Whether the sentence tells the assistant how to answer from now on."""
    words = bare_words(sentence)
    if not any(one in _WORDS["of_all"] and other in _WORDS["outputs"] for one, other in itertools.pairwise(words)):
        return False
    return any(phrase_length(words[at:], _WORDS["orders"]) and words[at - 1 : at] != ("i",) for at in range(len(words)))


def retracts_statement(sentence: str) -> bool:
    """Whether the person says that the statement before was a joke."""
    return _begins_with("joke_markers", sentence)


def is_afterthought_hedge(piece: str) -> bool:
    """Whether the piece only hedges the clause before it (", I think")."""
    return " ".join(_without_leading_words(piece)) in _WORDS["afterthoughts"]


def is_hypothesis(sentence: str) -> bool:
    """Whether the sentence opens a hypothesis."""
    return _begins_with("hypothesis_openers", sentence)


def is_leading_phrase(piece: str) -> bool:
    """Whether the piece only leads to the statement ("actually,")."""
    return bool(piece.strip()) and not _without_leading_words(piece)


def is_fronted_phrase(piece: str) -> bool:
    """Whether the piece is a phrase before the subject ("in my free time")."""
    first, _, rest = piece.strip().partition(", ")
    pieces = (piece, "" if " " in first else rest)
    return any(phrase_length(bare_words(one)[:2], _WORDS["fronting"]) for one in pieces)


def is_hedged(words: str) -> bool:
    """Whether the clause is hedged (might, maybe, I think, I wish); a wish to learn, or for some day, is a goal."""
    is_goal = words.startswith(_GOALS) or (words.startswith(_WOULD_LIKE) and words.endswith(_SOME_DAY))
    return _HEDGE.search(words) is not None and not is_goal


def contains_markup(words: str) -> bool:
    """Whether the words contain markup, entities or single letters in a row."""
    return _MARKUP.search(words) is not None


def is_joking(words: str) -> bool:
    """Whether the words are marked as a joke."""
    return _JOKE.search(words) is not None


def statement_length(clause: str) -> int:
    """The length of the statement at the beginning of a clause, without the remarks behind it."""
    if is_fronted_phrase(clause) or _RELATIVE.match(clause.strip()):
        return len(clause)
    remark = _REMARK.search(clause, _MIN_LENGTH)
    return remark.start() if remark else len(clause)


def split_relative_clause(words: str) -> tuple[str, ...]:
    """The two statements of "my sister, who lives in Oslo, is a nurse"; the words alone where there is only one."""
    match = _RELATIVE.match(words)
    return (words,) if match is None else (f"{match['who']} {match['aside']}", f"{match['who']} {match['main']}")


def is_incomplete(words: str) -> bool:
    """Whether the words end in the middle of a phrase ("enough to ask what", "I live in")."""
    return words.rpartition(" ")[2].lower() in _WORDS["dangling"] or _STRANDED.fullmatch(words) is not None


def phrase_length(words: Sequence[str], phrases: Container[str]) -> int:
    """The length of the longest of some phrases with which words begin; 0 where they begin with none."""
    lengths = range(min(_MAX_PHRASE, len(words)), 0, -1)
    return next((length for length in lengths if " ".join(words[:length]) in phrases), 0)


def _without_leading_words(text: str) -> tuple[str, ...]:
    """The words of a sentence behind those that only lead to it ("so", "by the way")."""
    words = bare_words(text)
    while length := phrase_length(words, _WORDS["leading"]):
        words = words[length:]
    return words


def _begins_with(section: str, text: str) -> bool:
    """Whether the words of a text begin with a phrase of a section, behind those that only lead to it."""
    return phrase_length(_without_leading_words(text), _WORDS[section]) > 0
