"""Makes the commands that are about something: to recall, forget or remember it.

Each has three cases: the message names it; another sentence states it ("My boss is called Karen. Forget that."); or
neither, and it is about everything, or about the message before.
"""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.reading.clauses.split_clauses import split_clauses
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_classifier import find_subject
from keepsake.domain.reading.commands.command_words import OTHER_WORDS, Token, class_of
from keepsake.domain.reading.commands.find_request import Request
from keepsake.domain.reading.commands.verb_second import with_verb_second
from keepsake.domain.reading.statements.classified_statements import statement_score

_MIN_SUBJECT_SCORE = -0.5
"""How well words have to fit as what a command is about."""
_MIN_STATED = 1.0
"""The score of a clause that is a statement, and no mere name of something."""
_MARKS = " .,;:!?\"'“”„"


def command_with_subject(request: Request) -> Command:
    """The command to recall, forget or remember something."""
    return {"recall": _recall, "forget": _forget, "remember": _remember}[request.intent](request)


def _recall(request: Request) -> Command:
    """To recall what is named; everything where that is only the person ("what do you know about me?")."""
    words = _named_words(request)
    if all(class_of(token.word) == "me" for token in words):
        return Command(Kind.RECALL_ALL, is_ambiguous=request.is_ambiguous)
    is_ambiguous = request.is_ambiguous or not request.is_explicit
    return Command(Kind.RECALL_SUBJECT, subject=_subject(request, words), is_ambiguous=is_ambiguous)


def _forget(request: Request) -> Command:
    """To forget what the asking sentence names; or what the others state, or else the message before."""
    words, is_stated = _named_words(request), bool(_stated_text(request))
    if words and (not is_stated or words[0] in request.asking):
        is_ambiguous = request.is_ambiguous or not request.is_explicit
        return Command(Kind.FORGET_SUBJECT, subject=_subject(request, words), is_ambiguous=is_ambiguous)
    if is_stated:
        return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True)
    is_literal = request.is_explicit or any(token.word in OTHER_WORDS["forget"] for token in request.asking)
    return Command(Kind.FORGET_LAST, is_ambiguous=request.is_ambiguous or not is_literal)


def _remember(request: Request) -> Command:
    """To remember the statement that is named; or what the other sentences state, or else the message before."""
    words = _named_words(request)
    if words:
        return Command(Kind.REMEMBER, statement=_main_clause(request, words), is_ambiguous=request.is_ambiguous)
    statement = _stated_text(request)
    if statement:
        return Command(Kind.REMEMBER, statement=statement, refers_to_itself=True)
    return Command(Kind.REMEMBER, is_ambiguous=request.is_ambiguous)


def _named_words(request: Request) -> Sequence[Token]:
    """The words for what a request is about; none where no words fit. Other questions name nothing."""
    own = {token.sentence for token in request.asking}
    questions = {token.sentence for token in request.tokens if token.word == "?"} - own
    tokens = [token for token in request.tokens if token.sentence not in questions]
    score, words = find_subject(tokens, request.intent, request.asking)
    return words if score > _MIN_SUBJECT_SCORE else []


def _stated_text(request: Request) -> str:
    """The other sentences of the message, if they state something; else the empty text."""
    text = " ".join(_text(request, sentence) for sentence in request.other_sentences)
    return text if any(statement_score(clause) >= _MIN_STATED for clause in split_clauses(text)) else ""


def _subject(request: Request, words: Sequence[Token]) -> str:
    """What is named, without a clause of the teller behind it: "my address, I live in Berlin"."""
    commas = (at for at in range(1, len(words) - 1) if words[at].word == ",")
    end = next((at for at in commas if words[at + 1].word in OTHER_WORDS["teller"]), len(words))
    return _text(request, words[:end])


def _main_clause(request: Request, words: Sequence[Token]) -> str:
    """What is to be remembered, in the order of a main clause also behind "dass"."""
    statement, at = _text(request, words), request.tokens.index(words[0])
    return with_verb_second(statement) if at and request.tokens[at - 1].word == "dass" else statement


def _text(request: Request, words: Sequence[Token]) -> str:
    """The words as they stand in the message."""
    return request.message[words[0].start : words[-1].end].strip(_MARKS)
