"""Recognizes clauses that state nothing: questions, requests, hypotheses, hedges, jokes and fragments."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations

_WORDS = load_alternations("clause_filters")

_FRONTED = re.compile(rf"^\s*(?:\w+, )?{_WORDS['fronting_words']}\b", re.I)
_QUESTION_OR_REQUEST = re.compile(
    rf"^(?:{_WORDS['leading_words']}[\s,]+){{0,3}}{_WORDS['questions_and_requests']}\b", re.I
)
_ASKS_TO_BE_CALLED = re.compile(
    r"(?:can|could|would|will) you (?:please )?(?:start |just )?(?:call|calling|address|refer to) me "
    rf"(?:as |by )?(?!{_WORDS['not_a_name']})[\w'-]++(?>(?: from now on| instead| please)*)\W*+$",
    re.I,
)
_RETRACTION = re.compile(
    rf"^\W{{0,20}}(?:(?:haha+|lol|no|nah|wait|actually|i'm|im|i am|"
    rf"i was)[\s,]+)*{_WORDS['joke_markers']}\b",
    re.I,
)
_AFTERTHOUGHT = re.compile(
    rf"^\W{{0,20}}(?:(?:or|at least|but|well)\s+)*{_WORDS['afterthoughts']}(?: though| anyway)?\W*$", re.I
)
_HYPOTHESIS = re.compile(rf"^\s*(?:(?:and|but|so|well|ok|okay|like|hey)[\s,]+)?{_WORDS['hypothesis_openers']}\b", re.I)
_HEDGE = re.compile(_WORDS["hedges"], re.I)
_GOAL_FOR_SOME_DAY = re.compile(
    r"^I would (?:really |absolutely )?(?:love|like) to (?!.*\b(?:maybe|perhaps|probably|i think|i guess|not sure)\b)"
    r".{3,100}\b(?:some ?day|one day)$",
    re.I,
)
_GOAL_TO_LEARN = re.compile(
    r"^I would (?:really |absolutely )?(?:love|like) to learn (?!about\b|more\b|what\b|why\b)\w", re.I
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
_BARE_SUBJECT = re.compile(r"^\s*+(?:(?:and|but|so|well),? )?(?:my|the|our)?\s{0,12}[\w'-]+(?:\s[\w'-]+)?\s*$", re.I)
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|has|have|had|i|i'm|i've|im|(?:he|she|it|they)(?:['\u2019]|\s{1,12})\w{1,20})\b", re.I
)
_MAX_LEADING = 80
_LEADING = re.compile(
    r"^\W{0,80}(?:(?:well|no|oh|ok|okay|so|and|but|sorry|wait|yes|yeah|hey|hi|hello|actually|also|by the way|btw|"
    r"correction)\W*)+$",
    re.I,
)


def has_introduction(text: str) -> bool:
    """Whether the message greets, or its author introduces themselves ("I'm Ada, I live in Turin")."""
    return _INTRODUCTION.search(text) is not None


def is_question_or_request(clause: str) -> bool:
    """Whether the clause is a question or a request."""
    stripped = clause.strip()
    return _QUESTION_OR_REQUEST.match(stripped) is not None and _ASKS_TO_BE_CALLED.match(stripped) is None


def asks_to_be_called(sentence: str) -> bool:
    """Whether the question is how the person wants to be called ("can you call me Ash?")."""
    return _ASKS_TO_BE_CALLED.match(sentence.strip()) is not None


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
    return _FRONTED.match(piece) is not None


def is_bare_subject(piece: str) -> bool:
    """Whether the piece is only half a subject ("my wife" of "my wife and I")."""
    return _BARE_SUBJECT.match(piece) is not None and not _VERB.search(piece)


def is_leading_phrase(piece: str) -> bool:
    """Whether the piece only leads to the statement ("actually,")."""
    return len(piece) <= _MAX_LEADING and _LEADING.match(piece) is not None


def is_hedged(words: str) -> bool:
    """Whether the clause is hedged (might, maybe, I think, I wish); a wish for some day is a goal, not a hedge."""
    return _HEDGE.search(words) is not None and not (_GOAL_FOR_SOME_DAY.search(words) or _GOAL_TO_LEARN.search(words))


def contains_markup(words: str) -> bool:
    """Whether the words contain markup, entities or single letters in a row."""
    return _MARKUP.search(words) is not None


def is_persistent_instruction(sentence: str) -> bool:
    """Whether the sentence tells the assistant how to answer from now on."""
    return _PERSISTENT_INSTRUCTION.search(sentence) is not None


def is_joking(words: str) -> bool:
    """Whether the words are marked as a joke."""
    return _JOKE.search(words) is not None
