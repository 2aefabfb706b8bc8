"""Recognizes the command that a message is, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from keepsake.domain.english.classifiers import part_of_speech
from keepsake.domain.english.load_word_lists import load_alternations, load_sections, load_words
from keepsake.domain.reading.clauses.split_clauses import split_clauses
from keepsake.domain.reading.commands.command import Command, Kind
from keepsake.domain.reading.commands.command_classifier import command_scores, find_subject
from keepsake.domain.reading.commands.command_words import (
    OTHER_WORDS,
    Token,
    class_of,
    has_class,
    read_tokens,
    sentences_of,
    without_fillers,
)
from keepsake.domain.reading.commands.verb_second import with_verb_second
from keepsake.domain.reading.statements.classified_statements import statement_score
from keepsake.domain.text import normalize_apostrophes, shorten_runs

MAX_LENGTH = 1_500
"""Characters of a message that may be a command; longer ones are pasted text or stories."""
_MIN_SCORE, _SURE_SCORE = 0.8, 1.6
"""How much better than nothing a command has to fit; and from where it is one also where nothing fits its subject."""
_MIN_OWN_SCORE = 1.0
"""The same for a request not to remember its own message."""
_MIN_SUBJECT_SCORE = -0.5
"""How well words have to fit as what a command is about."""
_MAX_SENTENCES, _MAX_JOINED = 6, 3
"""Sentences of a message that is a command, and of one that is looked at as a whole."""
_MIN_CONTENT = 2
"""Words that a message tells beside a request not to remember it; one is enough where its author is named."""
_MIN_STATED = 1.0
"""The score of a clause that is a statement, and no mere name of something."""
_SHOW_COMMAND = ("memory", "know", "me", "you", "all")
"""Classes of words without which "forget pizza" may mean what is on the table, and "scrap that" what was written."""
_ASKING = ("delete", "keep", "know", "back", "memory")
"""Classes of words without which nothing is asked of the memory."""
_MEMORY = ("keep", "memory", "know")
_MAX_ANSWER_LENGTH = 60
_CACHED_MESSAGES = 256
_ABOUT = {"forget": Kind.FORGET_SUBJECT, "recall": Kind.RECALL_SUBJECT, "remember": Kind.REMEMBER}
_ABOUT_NOTHING = {"forget": Kind.FORGET_LAST, "recall": Kind.RECALL_ALL, "remember": Kind.REMEMBER}
_ONLY_IF_SURE = (Kind.PAUSE, Kind.RESUME, Kind.REMEMBER)
"""What is surely asked, or at its beginning; else the message is read, and what it states is kept anyway."""
_ANSWERS = load_sections("answers", __package__)
_YES = [[answer] for answer in _ANSWERS["accept"]]
_MARKS = " .,;:!?\"'“”„"
_QUOTED_TEXT = re.compile(
    r"`|~~~|^[^\S\n]*+(?:>|\||[-*] )|<\w++>|^[^\S\n]*+[A-Z]\w++: .*\n\s{0,12}[A-Z]\w++: ", re.MULTILINE
)
_PERSONA_ONLY = re.compile(
    r"[\s,(-]{0,12}\b(?:but |and |it'?s |this is |that'?s ){0,4}"
    rf"{load_alternations('persona_only', __package__)['persona_only']}\b[\s,):.!;-]*",
    re.IGNORECASE,
)


def recognize(text: str, names: Collection[str] = ()) -> Command | None:
    """The command a message is, or None. By the ``names`` the assistant may be addressed."""
    return _recognize(text, tuple(names)) if len(text) <= MAX_LENGTH else None


@lru_cache(_CACHED_MESSAGES)  # a message is looked at when it is received, answered and read
def _recognize(text: str, names: tuple[str, ...]) -> Command | None:
    message = _without_address(normalize_apostrophes(shorten_runs(text)).strip(), names)
    if _QUOTED_TEXT.search(message):
        return None
    if _PERSONA_ONLY.search(message) is None:
        return _in_message(message)
    without_scope = _PERSONA_ONLY.sub(lambda match: ": " if ":" in match[0] else " ", message).strip(" ,:;")
    found = _in_message(without_scope)
    if found is not None and found.kind is Kind.REMEMBER:
        return replace(found, is_persona_only=True)
    return _in_message(message)


def recognize_answer(text: str) -> Command | None:
    """The yes or no to what an agent asks for, that a message is and nothing beside; None where it is neither."""
    if len(text) > _MAX_ANSWER_LENGTH:
        return None
    said = " ".join(token.word for token in without_fillers(read_tokens(text)))
    kinds = {"accept": Kind.ACCEPT_REQUEST, "reject": Kind.REJECT_REQUEST}
    return next((Command(kind, is_ambiguous=True) for name, kind in kinds.items() if said in _ANSWERS[name]), None)


def best_score(text: str) -> float:
    """How much better than nothing a command fits the words of a message; below zero where none does."""
    return max((score for _, score, _ in _scored(read_tokens(text))), default=float("-inf"))


def _without_address(message: str, names: Collection[str]) -> str:
    """The message without a name of the assistant at its beginning ("Mona, forget my job")."""
    for name in names:
        greeted = re.match(
            rf"(?:(?:hey|hi|hello|ok|okay|hallo),? )?{re.escape(name)}(?!\w)[\s,:!.-]*", message, re.IGNORECASE
        )
        if name and greeted:
            return message[greeted.end() :]
    return message


def _scored(tokens: Sequence[Token]) -> Iterator[tuple[str, float, Sequence[Token]]]:
    """What the sentences of a message ask, each and as a whole, how well that fits, and the words that ask it."""
    sentences = sentences_of(tokens)
    if len(sentences) > _MAX_SENTENCES or not has_class(tokens, _ASKING):
        return
    for asking in (*sentences, *([tokens] if 1 < len(sentences) <= _MAX_JOINED else ())):
        name, score = max(command_scores(asking).items(), key=lambda one: one[1])
        if name in _ABOUT or asking is not tokens:  # what is named may stand in another sentence
            yield name, score, asking
    for sentence in sentences:
        head = [*takewhile(lambda token: token.word not in OTHER_WORDS["break"], sentence)]
        if len(head) < len(sentence) and has_class(head, ("not",)):
            scores = command_scores(head)
            yield Kind.DO_NOT_REMEMBER, scores.get(Kind.DO_NOT_REMEMBER, 0.0), head


def _in_message(message: str) -> Command | None:
    tokens = read_tokens(message)
    name, score, asking = max(_scored(tokens), key=lambda one: one[1], default=("", 0.0, tokens))
    if score < _MIN_SCORE or _addresses_other(tokens):
        return None
    is_ambiguous = score < _SURE_SCORE or len(tokens) == 1
    if is_ambiguous and name in _ONLY_IF_SURE and not _begins_with_keep(asking):
        return None
    if name in _ABOUT:
        asking = max(sentences_of(asking), key=lambda sentence: command_scores(sentence).get(name, 0.0))
        return _about(name, message, tokens, asking, is_ambiguous=is_ambiguous)
    refers_to_itself = name == Kind.DO_NOT_REMEMBER and _has_content(tokens)
    if refers_to_itself and (score < _MIN_OWN_SCORE or not has_class(asking, _MEMORY)):
        return None
    is_confirmation = name == Kind.FORGET_ALL and _content(tokens)[:1] in _YES
    return Command(
        Kind(name),
        refers_to_itself=refers_to_itself,
        is_ambiguous=is_ambiguous and not refers_to_itself and name != Kind.FORGET_ALL,  # which asks back
        is_confirmation=is_confirmation,
    )


def _begins_with_keep(tokens: Sequence[Token]) -> bool:
    """Whether words begin with what one is asked to do: "please remember my size"."""
    return [class_of(word) for word in _content(tokens)[:1]] == ["keep"]


def _addresses_other(tokens: Sequence[Token]) -> bool:
    """Whether the message tells somebody else to forget something: "Sam, forget pizza"."""
    first, second = (*tokens, *tokens)[:2]
    is_called = second.word == "," and first.word not in OTHER_WORDS["filler"] and part_of_speech(first.text) == "NAME"
    return is_called and not has_class(tokens, _SHOW_COMMAND)


def _about(name: str, message: str, tokens: Sequence[Token], asking: Sequence[Token], *, is_ambiguous: bool) -> Command:
    """A command with what it names; else it is about the rest of its message, if that states something.

    What another sentence only states is not named: "My boss is called Karen. Forget that."
    """
    rest = " ".join(_text(message, sentence) for sentence in sentences_of(tokens) if sentence != asking)
    is_stated = name != "recall" and _states_something(rest)
    is_bare = not has_class(asking, _SHOW_COMMAND)
    score, words = find_subject(_may_name(tokens, asking), name, asking)
    if name == "recall" and all(class_of(token.word) == "me" for token in words):
        return Command(Kind.RECALL_ALL, is_ambiguous=is_ambiguous)
    if score <= _MIN_SUBJECT_SCORE or (is_stated and name == "forget" and words[0] not in asking):
        if not is_stated:
            is_idiom = is_bare and name == "forget" and OTHER_WORDS["forget"].isdisjoint(token.word for token in asking)
            return Command(_ABOUT_NOTHING[name], is_ambiguous=is_ambiguous or is_idiom)
        statement = rest if name == "remember" else None
        kind = Kind.REMEMBER if name == "remember" else Kind.DO_NOT_REMEMBER
        return Command(kind, statement=statement, refers_to_itself=True)
    if name == "remember":
        return Command(Kind.REMEMBER, statement=_statement(message, tokens, words), is_ambiguous=is_ambiguous)
    return Command(
        _ABOUT[name], subject=_text(message, _without_statement(words)), is_ambiguous=is_ambiguous or is_bare
    )


def _may_name(tokens: Sequence[Token], asking: Sequence[Token]) -> list[Token]:
    """The words of a message but for other questions, which name nothing that is to be remembered or forgotten."""
    questions = {token.sentence for token in tokens if token.word == "?"} - {token.sentence for token in asking}
    return [token for token in tokens if token.sentence not in questions]


def _without_statement(words: Sequence[Token]) -> Sequence[Token]:
    """What is named, without a clause about the author behind it: "my address, I live in Berlin"."""
    ends = (
        at for at in range(1, len(words) - 1) if words[at].word == "," and words[at + 1].word in OTHER_WORDS["teller"]
    )
    return words[: next(ends, len(words))]


def _text(message: str, tokens: Sequence[Token]) -> str:
    return message[tokens[0].start : tokens[-1].end].strip(_MARKS)


def _statement(message: str, tokens: Sequence[Token], words: Sequence[Token]) -> str:
    """What is to be remembered, in the order of a main clause."""
    statement, at = _text(message, words), tokens.index(words[0])
    return with_verb_second(statement) if tokens[at - 1].word == "dass" and at else statement


def _states_something(text: str) -> bool:
    return any(statement_score(clause) >= _MIN_STATED for clause in split_clauses(text))


def _content(tokens: Sequence[Token]) -> list[str]:
    """The words beside fillers and marks."""
    return [token.word for token in without_fillers(tokens)]


def _has_content(tokens: Sequence[Token]) -> bool:
    """Whether words tell something, beside those with which one asks."""
    found = [word for word in _content(tokens) if not class_of(word) and word not in load_words("function_words")]
    is_marked = any(token.word == ":" or token.word in OTHER_WORDS["teller"] for token in tokens)
    return len(found) >= _MIN_CONTENT or (bool(found) and is_marked)
