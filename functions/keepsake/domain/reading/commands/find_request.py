"""Finds what a message asks of the memory, and which of its sentences asks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby

from keepsake.domain.reading.commands.command import Kind
from keepsake.domain.reading.commands.command_classifier import command_scores
from keepsake.domain.reading.commands.command_words import (
    OTHER_WORDS,
    Token,
    has_class,
    read_tokens,
    without_fillers,
)

INTENTS_WITH_SUBJECT = ("forget", "recall", "remember")
"""What is asked about something; every other intent is the kind of a command."""
MEMORY = ("keep", "know", "memory")
"""Classes of words for the memory and what it does."""
_ASKING = (*MEMORY, "delete", "back")
"""Classes of words without which nothing is asked of the memory."""
_EXPLICIT = ("memory", "know", "me", "you", "all")
"""Classes of words that show that the memory is asked: "forget pizza" may mean what is on the table."""
_ONLY_IF_SURE = (Kind.PAUSE, Kind.RESUME, "remember")
"""What counts only where it is sure or begins the message; else that is read, and what it states is kept anyway."""
_MIN_SCORE, _SURE_SCORE = 0.8, 1.7
"""How much better than nothing a command has to fit; and from where it is one also where nothing fits its subject."""
_MAX_JOINED = 3
"""Sentences of a message that may ask something with all of them together."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a message asks, which of its words ask it, and how much better than nothing that fits them."""

    message: str
    tokens: Sequence[Token]
    intent: str
    score: float
    asking: Sequence[Token]

    @property
    def is_ambiguous(self) -> bool:
        """Whether it may be no request at all."""
        return self.score < _SURE_SCORE or len(self.tokens) == 1

    @property
    def is_explicit(self) -> bool:
        """Whether it says that the memory is asked, or for something about the person."""
        return has_class(self.asking, _EXPLICIT)

    @property
    def other_sentences(self) -> list[list[Token]]:
        """The sentences of the message beside the one that asks."""
        return [sentence for sentence in _sentences_of(self.tokens) if sentence != self.asking]


def find_request(message: str) -> Request | None:
    """The request that fits a message best; None where none fits well enough."""
    request = max(_requests(message), key=lambda one: one.score, default=None)
    if request is None or request.score < _MIN_SCORE:
        return None
    begins_with_keep = has_class(without_fillers(request.asking)[:1], ("keep",))
    if request.is_ambiguous and request.intent in _ONLY_IF_SURE and not begins_with_keep:
        return None
    return replace(request, asking=max(_sentences_of(request.asking), key=partial(_score, intent=request.intent)))


def best_score(message: str) -> float:
    """How much better than nothing a request fits a message; below zero where none does."""
    return max((request.score for request in _requests(message)), default=float("-inf"))


def _requests(message: str) -> Iterator[Request]:
    """What each sentence may ask, what all ask together, and what is asked not to be remembered."""
    tokens = read_tokens(message)
    sentences = _sentences_of(tokens)
    if not has_class(tokens, _ASKING):
        return
    for words in (*sentences, tokens) if 1 < len(sentences) <= _MAX_JOINED else sentences:
        scores = command_scores(words)
        intent = max(scores, key=lambda one: scores[one])
        if words is not tokens or intent in INTENTS_WITH_SUBJECT:  # one sentence may name what another one asks for
            yield Request(message, tokens, intent, scores[intent], words)
    for part in chain.from_iterable(map(_denying_parts, sentences)):
        yield Request(message, tokens, Kind.DO_NOT_REMEMBER, _score(part, Kind.DO_NOT_REMEMBER), part)


def _score(words: Sequence[Token], intent: str) -> float:
    return command_scores(words).get(intent, 0.0)


def _sentences_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """The words of each sentence."""
    return [[*sentence] for _, sentence in groupby(tokens, lambda token: token.sentence)]


def _denying_parts(sentence: Sequence[Token]) -> list[list[Token]]:
    """The "don't remember this" before or behind what is not to be remembered."""
    split = groupby(sentence, lambda token: token.word in OTHER_WORDS["break"])
    first, *others = [[*words] for is_break, words in split if not is_break] or [[]]
    return [part for part in (first, *others[-1:]) if others and has_class(part, ("not",))]
