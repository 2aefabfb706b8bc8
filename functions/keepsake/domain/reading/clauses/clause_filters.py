"""Recognizes what states nothing: questions, requests, hypotheses, hedges, jokes, and remarks behind a statement."""

from __future__ import annotations

import re

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.load_word_lists import load_alternations, load_sections

_PATTERNS = load_alternations("clause_filters")
_WORDS = {section: frozenset(entries) for section, entries in load_sections("phrases", __package__).items()}
_MAX_PHRASE = 4
_QUESTION_OR_REQUEST = re.compile(
    rf"\s*+(?:{_PATTERNS['leading_words']}[\s,]+){{0,4}}{_PATTERNS['questions_and_requests']}\b", re.I
)
_HEDGE = re.compile(_PATTERNS["hedges"], re.I)
_WOULD_LIKE = ("I would love to ", "I would like to ")
_GOALS = ("I would love to learn ", "I would like to learn ")
_SOME_DAY = (" someday", " some day", " one day")
_JOKE = re.compile(f"{_PATTERNS['jokes']}|{_PATTERNS['sarcasm']}", re.I)
_PERSISTENT_INSTRUCTION = re.compile(
    rf"\b{_PATTERNS['orders']}\b[^.!?\n]{{0,80}}\b(?:every|each|all|any|your)(?: of your| single|"
    rf" future)? {_PATTERNS['assistant_outputs']}\b",
    re.I,
)
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
_NAMED = re.compile(r" (?:named|called) [\w'-]+(?= (?:who|which|that)\b|, (?:who|which|an?|the|my|our)\b)", re.I)
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
    return _QUESTION_OR_REQUEST.match(clause) is not None


def retracts_statement(sentence: str) -> bool:
    """Whether the person says that the statement before was a joke."""
    return _begins_with("joke_markers", _without_leading_words(sentence)) > 0


def is_afterthought_hedge(piece: str) -> bool:
    """Whether the piece only hedges the clause before it (", I think")."""
    return " ".join(_without_leading_words(piece)) in _WORDS["afterthoughts"]


def is_hypothesis(sentence: str) -> bool:
    """Whether the sentence opens a hypothesis."""
    return _begins_with("hypothesis_openers", _without_leading_words(sentence)) > 0


def is_leading_phrase(piece: str) -> bool:
    """Whether the piece only leads to the statement ("actually,")."""
    return bool(piece.strip()) and not _without_leading_words(piece)


def is_fronted_phrase(piece: str) -> bool:
    """Whether the piece is a phrase before the subject ("in my free time")."""
    first, _, rest = piece.strip().partition(", ")
    return any(_begins_with("fronting", bare_words(one)[:2]) for one in (piece, "" if " " in first else rest))


def is_hedged(words: str) -> bool:
    """Whether the clause is hedged (might, maybe, I think, I wish); a wish to learn, or for some day, is a goal."""
    is_goal = words.startswith(_GOALS) or (words.startswith(_WOULD_LIKE) and words.endswith(_SOME_DAY))
    return _HEDGE.search(words) is not None and not is_goal


def contains_markup(words: str) -> bool:
    """Whether the words contain markup, entities or single letters in a row."""
    return _MARKUP.search(words) is not None


def is_persistent_instruction(sentence: str) -> bool:
    """Whether the sentence tells the assistant how to answer from now on."""
    return _PERSISTENT_INSTRUCTION.search(sentence) is not None


def is_joking(words: str) -> bool:
    """Whether the words are marked as a joke."""
    return _JOKE.search(words) is not None


def statement_length(clause: str) -> int:
    """The length of the statement at the beginning of a clause, without the remarks behind it."""
    if is_fronted_phrase(clause) or _RELATIVE.match(clause.strip()):
        return len(clause)
    remark, named = _REMARK.search(clause, _MIN_LENGTH), _NAMED.search(clause)
    return min(remark.start() if remark else len(clause), named.end() if named else len(clause))


def split_relative_clause(words: str) -> tuple[str, ...]:
    """The two statements of "my sister, who lives in Oslo, is a nurse"; the words alone where there is only one."""
    match = _RELATIVE.match(words)
    return (words,) if match is None else (f"{match['who']} {match['aside']}", f"{match['who']} {match['main']}")


def is_incomplete(words: str) -> bool:
    """Whether the words end in the middle of a phrase ("enough to ask what", "I live in")."""
    return words.rpartition(" ")[2].lower() in _WORDS["dangling"] or _STRANDED.fullmatch(words) is not None


def _without_leading_words(text: str) -> tuple[str, ...]:
    """The words of a sentence behind those that only lead to it ("so", "by the way")."""
    words = bare_words(text)
    while length := _begins_with("leading", words):
        words = words[length:]
    return words


def _begins_with(section: str, words: tuple[str, ...]) -> int:
    """The length of the longest phrase of a section with which words begin; 0 where they begin with none."""
    lengths = range(min(_MAX_PHRASE, len(words)), 0, -1)
    return next((length for length in lengths if " ".join(words[:length]) in _WORDS[section]), 0)
