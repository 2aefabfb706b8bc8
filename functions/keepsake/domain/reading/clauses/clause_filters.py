"""Recognizes clauses that state nothing: questions, requests, hypotheses, hedges, jokes and fragments."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations, load_sections

_WORDS = load_alternations("clause_filters")
_MARKS = r"\W{0,20}"
_FRONTING = frozenset(load_sections("clause_filters")["fronting_words"])


def _behind_leading_words(beginning: str, marks: str = r"\s*+") -> re.Pattern[str]:
    """An expression for what a sentence begins with, perhaps behind words that only lead to it."""
    return re.compile(rf"{marks}(?:{_WORDS['leading_words']}[\s,]+){{0,4}}{beginning}", re.I)


_QUESTION_OR_REQUEST = _behind_leading_words(rf"{_WORDS['questions_and_requests']}\b")
_RETRACTION = _behind_leading_words(rf"(?:(?:i'm|im|i am|i was)\s+)?{_WORDS['joke_markers']}\b", _MARKS)
_AFTERTHOUGHT = _behind_leading_words(rf"(?:at least\s+)?{_WORDS['afterthoughts']}(?: though| anyway)?\W*$", _MARKS)
_LEADING = _behind_leading_words(rf"{_WORDS['leading_phrases']}\W*$", _MARKS)
_HYPOTHESIS = _behind_leading_words(rf"(?:like\s+)?{_WORDS['hypothesis_openers']}\b")
_HEDGE = re.compile(_WORDS["hedges"], re.I)
_GOAL = re.compile(
    r"^I would (?:really |absolutely )?(?:love|like) to (?:learn (?!about\b|more\b|what\b|why\b)\w|"
    r"(?!.*\b(?:maybe|perhaps|probably|i think|i guess|not sure)\b).{3,100}\b(?:some ?day|one day)$)",
    re.I,
)
_JOKE = re.compile(f"{_WORDS['jokes']}|{_WORDS['sarcasm']}", re.I)
_PERSISTENT_INSTRUCTION = re.compile(
    rf"\b{_WORDS['orders']}\b[^.!?\n]{{0,80}}\b(?:every|each|all|any|your)(?: of your| single|"
    rf" future)? {_WORDS['assistant_outputs']}\b",
    re.I,
)
_MARKUP = re.compile(
    r"&(?:#?\w{1,10});|-{3,}|={3,}|\[/?\w+\]|</|/>|\{\{|\}\}|\$\{|<\||\|>|(?:\b[^\W\d_][-._*~]){3,}|(?:\b[a-z] ){4,}"
    r"|[\u00ad\u180e\u200b\u2060-\u2064\ufeff\u115f\u1160\u3164\uffa0]",
    re.I,
)
_INTRODUCTION = re.compile(_WORDS["introductions"], re.I)


def has_introduction(text: str) -> bool:
    """Whether the message greets, or its author introduces themselves ("I'm Ada, I live in Turin")."""
    return _INTRODUCTION.search(text) is not None


def is_question_or_request(clause: str) -> bool:
    """Whether the clause is a question or a request."""
    return _QUESTION_OR_REQUEST.match(clause) is not None


def retracts_statement(sentence: str) -> bool:
    """Whether the person says that the statement before was a joke."""
    return _RETRACTION.match(sentence) is not None


def is_afterthought_hedge(piece: str) -> bool:
    """Whether the piece only hedges the clause before it (", I think")."""
    return _AFTERTHOUGHT.match(piece) is not None


def is_hypothesis(sentence: str) -> bool:
    """Whether the sentence opens a hypothesis."""
    return _HYPOTHESIS.match(sentence) is not None


def is_fronted_phrase(piece: str) -> bool:
    """Whether the piece is a phrase before the subject ("in my free time")."""
    first, _, rest = piece.strip().partition(", ")
    return _is_fronting(piece) or (" " not in first and _is_fronting(rest))


def _is_fronting(piece: str) -> bool:
    words = [word.rstrip(",.:") for word in piece.lower().split()[:2]]
    return " ".join(words[:1]) in _FRONTING or " ".join(words) in _FRONTING


def is_leading_phrase(piece: str) -> bool:
    """Whether the piece only leads to the statement ("actually,")."""
    return _LEADING.match(piece) is not None


def is_hedged(words: str) -> bool:
    """Whether the clause is hedged (might, maybe, I think, I wish); a wish for some day is a goal, not a hedge."""
    return _HEDGE.search(words) is not None and _GOAL.match(words) is None


def contains_markup(words: str) -> bool:
    """Whether the words contain markup, entities or single letters in a row."""
    return _MARKUP.search(words) is not None


def is_persistent_instruction(sentence: str) -> bool:
    """Whether the sentence tells the assistant how to answer from now on."""
    return _PERSISTENT_INSTRUCTION.search(sentence) is not None


def is_joking(words: str) -> bool:
    """Whether the words are marked as a joke."""
    return _JOKE.search(words) is not None
