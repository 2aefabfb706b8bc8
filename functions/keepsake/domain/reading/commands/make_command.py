"""Makes a command of a request: what it is about, and whether it may be none.

To recall, forget or remember has three cases: the message names something; another sentence states it ("My boss is
called Karen. Forget that."); or neither, and it is about everything, or about the message before.
"""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.english.load_word_lists import load_sections, load_words
from keepsake.domain.reading.clauses.split_clauses import split_clauses
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_classifier import find_subject
from keepsake.domain.reading.commands.command_words import OTHER_WORDS, Token, class_of, has_class, without_fillers
from keepsake.domain.reading.commands.find_request import MEMORY, Request
from keepsake.domain.reading.statements.classified_statements import statement_score

_MIN_STATED = 1.0
"""The score of a clause that is a statement, and no mere name of something."""
_MIN_CONTENT = 2
"""Words that a message tells beside such a request; one is enough where it has a teller or a colon."""
_CONFIRMATIONS = load_sections("answers", __package__)["accept"]
_MARKS = " .,;:!?\"'“”„"


def make_command(request: Request) -> Command | None:
    """The command that a message asks for; None where it may be none, and would cost what the message states."""
    match request.intent:
        case "recall":
            return _recall(request)
        case "forget":
            return _forget(request)
        case "remember":
            return _remember(request)
        case Kind.DO_NOT_REMEMBER if _has_content(request.tokens):
            is_sure = has_class(request.asking, MEMORY)
            return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True) if is_sure else None
        case Kind.FORGET_ALL:  # which asks back, so that it need not be sure
            is_confirmation = any(token.word in _CONFIRMATIONS for token in without_fillers(request.tokens)[:1])
            return Command(Kind.FORGET_ALL, is_confirmation=is_confirmation)
    return Command(Kind(request.intent), is_ambiguous=request.is_ambiguous)


def _recall(request: Request) -> Command:
    """To recall what is named; everything where that is only the person ("what do you know about me?")."""
    words = _named_words(request)
    if all(class_of(token.word) == "me" for token in words):
        return Command(Kind.RECALL_ALL, is_ambiguous=request.is_ambiguous)
    is_ambiguous = request.is_ambiguous or not request.is_explicit
    return Command(Kind.RECALL_SUBJECT, subject=_text(request, words), is_ambiguous=is_ambiguous)


def _forget(request: Request) -> Command:
    """To forget what the asking sentence names; or what the others state, or else the message before."""
    words, is_stated = _named_words(request), bool(_stated_text(request))
    is_ambiguous = request.is_ambiguous or not request.is_explicit
    if words and (not is_stated or words[0] in request.asking):
        return Command(Kind.FORGET_SUBJECT, subject=_text(request, words), is_ambiguous=is_ambiguous)
    if is_stated:
        return Command(Kind.DO_NOT_REMEMBER, refers_to_itself=True)
    is_literal = request.is_explicit or any(token.word in OTHER_WORDS["forget"] for token in request.asking)
    return Command(Kind.FORGET_LAST, is_ambiguous=request.is_ambiguous or not is_literal)


def _remember(request: Request) -> Command:
    """To remember the statement that is named; or what the other sentences state, or else the message before."""
    if words := find_subject(request.asking, "remember", request.asking) or _named_words(request):
        words = _to_the_end(request, words)
        statement, asking = _main_clause(request, words), request.asking
        own = f"{statement}. " if words[0] in asking else ""
        said = f"{request.message[: asking[0].start]}{own}{request.message[asking[-1].end :]}".strip()
        return Command(Kind.REMEMBER, statement=statement, said=said, is_ambiguous=request.is_ambiguous)
    if statement := _stated_text(request):
        return Command(Kind.REMEMBER, statement=statement, refers_to_itself=True)
    return Command(Kind.REMEMBER, is_ambiguous=request.is_ambiguous)


def _to_the_end(request: Request, words: Sequence[Token]) -> Sequence[Token]:
    """A statement with what is said behind it in its sentence, unless that asks: "…, keep that somewhere"."""
    rest = [token for token in request.tokens if token.sentence == words[-1].sentence and token.start > words[-1].start]
    said = without_fillers(rest)
    return words if has_class(rest, MEMORY) or not said else [*words, *rest[: rest.index(said[-1]) + 1]]


def _has_content(tokens: Sequence[Token]) -> bool:
    """Whether a message tells something beside the words with which one asks."""
    said = [token.word for token in without_fillers(tokens) if not class_of(token.word)]
    content = [word for word in said if word not in load_words("function_words")]
    is_marked = any(token.word == ":" or token.word in OTHER_WORDS["teller"] for token in tokens)
    return len(content) >= (1 if is_marked else _MIN_CONTENT)


def _named_words(request: Request) -> Sequence[Token]:
    """The words for what a request is about; none where no words fit. Other questions name nothing."""
    own = {token.sentence for token in request.asking}
    questions = {token.sentence for token in request.tokens if token.word == "?"} - own
    tokens = [token for token in request.tokens if token.sentence not in questions]
    return find_subject(tokens, request.intent, request.asking)


def _stated_text(request: Request) -> str:
    """The other sentences of the message, if they state something; else the empty text."""
    text = " ".join(_text(request, sentence) for sentence in request.other_sentences)
    return text if any(statement_score(clause) >= _MIN_STATED for clause in split_clauses(text)) else ""


def _main_clause(request: Request, words: Sequence[Token]) -> str:
    """What is to be remembered; of "dass mein Hund Angst vor Gewitter hat" "mein Hund hat Angst …"."""
    statement, at = _text(request, words), request.tokens.index(words[0])
    if not at or request.tokens[at - 1].word != "dass":
        return statement
    *said, verb = statement.split()
    length = _subject_length(said)
    return " ".join((*said[:length], verb, *said[length:]))


def _subject_length(said: list[str]) -> int:
    """The number of words of the subject that a clause begins with: "ich", "mein Hund", "meine Tochter Lena"."""
    if not said or said[0].lower() not in OTHER_WORDS["article"]:
        return 1
    name, following = (*said[2:4], "", "")[:2]
    return 3 if name[:1].isupper() and following not in OTHER_WORDS["preposition"] else 2


def _text(request: Request, words: Sequence[Token]) -> str:
    """The words as they stand in the message."""
    return request.message[words[0].start : words[-1].end].strip(_MARKS)
