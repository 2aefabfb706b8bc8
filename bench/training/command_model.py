"""What the classifiers of commands learn from: messages that ask something of the memory, and others like them.

In ``bench/data/commands.txt`` stands before each message what it asks for; {braces} mark what it is about, [brackets]
the words that ask, where the message says more. ``bench.training.classifiers`` trains them. This module says what they
recognize: of ``bench/data/commands_unread.txt``, which nobody read who worked on them, or of the file that is named.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from bench.training import span_model
from bench.training.linear_model import Row
from bench.training.softmax_model import Matrix, WordRows, train
from keepsake.domain.commands.match_subject import search_words
from keepsake.domain.english.classifiers import SEPARATOR
from keepsake.domain.reading.commands import recognize
from keepsake.domain.reading.commands.command_classifier import (
    FIRST,
    INSIDE,
    LAST,
    NONE,
    command_features,
    spans,
    subject_features,
)
from keepsake.domain.reading.commands.command_words import Token, read_tokens
from keepsake.domain.text import words

_DATA = Path(__file__).parents[1] / "data"
_MARKS = re.compile(r"[\[\]{}]")
_MARKED = re.compile(r"\{\??|\}")
_CLASSES = {"forget_subject": "forget", "forget_last": "forget", "recall_all": "recall", "recall_subject": "recall"}
_ABOUT = ("forget", "recall", "remember")
"""The classes of commands that are about something."""
_NAMES_SUBJECT = ("forget_subject", "recall_subject", "remember")
_ALIKE = {"forget_last", "do_not_remember"}
"""Either takes back what was just said."""
_NAMED = re.compile(r"\{([^{}]+)\}")
_OF_SENTENCES = frozenset(
    ["i", "i'm", "we", "that", "where", "how", "what", "who", "ich", "wir", "dass", "wo", "was", "wie"]
)
_STATED = re.compile(r"(?:I|I'm|My) ", re.IGNORECASE)
_MAX_NAME, _STEPS = 4, (37, 101, 193, 401)
_MAX_SENTENCES = 3
_WEIGHT_OF_ORDINARY, _WEIGHT_OF_SHORT, _SHORT = 0.2, 2.0, 7
"""Most people use few words; those who wrote the messages varied theirs."""
_ASKS = re.compile(r"remember|memory|memories|forget|\bnote\b|in mind|\bsave|delete|vergiss|merk", re.IGNORECASE)
_DECAY, _DECAY_OF_SUBJECTS = 1e-4, 3e-4
_SMALLEST = 0.085
_FEWEST = 4


@dataclass(frozen=True, slots=True)
class Message:
    """A message, what it asks for, which of its words ask, and which are what it is about."""

    kind: str
    tokens: Sequence[Token]
    asking: Sequence[Token]
    subject: tuple[int, int] | None
    weight: float = 1.0

    @property
    def intent(self) -> str:
        """The class of what it asks for."""
        return _CLASSES.get(self.kind, self.kind)


def _learned() -> Iterator[Message]:
    """The messages to learn from; short ones also of other things, which together count as one."""
    lines = [*_lines(_DATA / "commands.txt")]
    things = [match[1] for line in lines if (match := _NAMED.search(line)) and _is_thing(match[1])]
    stated = [text.rstrip(".!") for text in _ordinary() if _STATED.match(text) and len(text.split()) <= _SHORT]
    for at, line in enumerate(lines):
        message, match = _read_message(line), _NAMED.search(line)
        pool = stated if match and _STATED.match(match[1]) else things if match and _is_thing(match[1]) else []
        if len(message.tokens) > (_SHORT if pool is not stated else _SHORT + _SHORT):
            yield message
            continue
        others = [pool[(at + 1) * step % len(pool)] for step in _STEPS] if pool else []
        for one in (message, *(_read_message(_NAMED.sub(f"{{{other}}}", line)) for other in others)):
            yield replace(one, weight=_WEIGHT_OF_SHORT / (1 + len(others)))


def _is_thing(subject: str) -> bool:
    """Whether a subject is the name of something, and no sentence."""
    first, *others = subject.split()
    return len(others) < _MAX_NAME and first.lower() not in _OF_SENTENCES


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))


def _read_message(line: str) -> Message:
    kind, _, marked = line.partition("|")
    asks, is_subject = "[" not in marked, False
    flags: list[tuple[bool, bool]] = []
    for character in marked:
        if character in "[]":
            asks = character == "["
        elif character in "{}":
            is_subject = character == "{"
        else:
            flags.append((asks, is_subject))
    tokens = read_tokens(_MARKS.sub("", marked))
    inside = [at for at, token in enumerate(tokens) if flags[token.start][1]]
    return Message(
        kind,
        tokens,
        asking=[token for token in tokens if flags[token.start][0]],
        subject=(inside[0], inside[-1]) if inside else None,
    )


@dataclass(frozen=True, slots=True)
class CommandClassifier:
    """The classifier of what a sentence asks, to be trained."""

    rows: list[Row]
    """Everything that it learns from; the first feature is the class."""

    def weights(self) -> dict[str, float]:
        """The weights that training gives, of each class and feature."""
        columns = _columns(row.features[1:] for row in self.rows)
        classes = sorted({row.features[0] for row in self.rows})
        learned = train(
            WordRows.of([_known(row.features[1:], columns) for row in self.rows], len(columns)),
            np.array([[float(row.features[0] == one) for one in classes] for row in self.rows], np.float32),
            np.array([row.weight for row in self.rows], np.float32),
            _DECAY,
        )
        return _named(learned, columns, classes)


def command_classifier() -> CommandClassifier:
    """The classifier of what a sentence asks, to be trained."""
    rows = [_row(kind, tokens, message.weight) for message in _learned() for kind, tokens in _sentences(message)]
    ordinary = (read_tokens(text) for text in _ordinary())
    rows += [_row(NONE, sentence, _WEIGHT_OF_ORDINARY) for tokens in ordinary for sentence in _split(tokens)]
    return CommandClassifier(rows)


def _row(kind: str, tokens: Sequence[Token], weight: float) -> Row:
    return Row([kind, *command_features(tokens)], kind != NONE, weight)


def _sentences(message: Message) -> Iterator[tuple[str, Sequence[Token]]]:
    """What the sentences of a message ask, and all of them together."""
    sentences = _split(message.tokens)
    if message.kind == NONE or len(message.asking) < len(message.tokens):
        for sentence in sentences:
            asking = sum(token in message.asking for token in sentence)
            yield message.intent if message.kind != NONE and 2 * asking > len(sentence) else NONE, sentence
    if len(sentences) <= _MAX_SENTENCES and (len(sentences) > 1 or len(message.asking) == len(message.tokens)):
        yield message.intent, message.tokens


def _split(tokens: Sequence[Token]) -> list[list[Token]]:
    return [[*sentence] for _, sentence in groupby(tokens, lambda token: token.sentence)]


def _ordinary() -> Iterator[str]:
    """Ordinary messages, but for those that may ask something of a memory."""
    lines = (line for name in ("statements", "statements_two") for line in _lines(_DATA / f"{name}.txt"))
    texts = (_MARKED.sub("", line) for line in lines)
    return (text for text in texts if not _ASKS.search(text))


@dataclass(frozen=True, slots=True)
class SubjectClassifier:
    """The classifier of the words that a command is about, to be trained."""

    messages: list[Message]

    @property
    def rows(self) -> list[Row]:
        """Everything that it learns from; positive where a word is one of a subject."""
        return [
            Row(features, message.subject is not None and message.subject[0] <= at <= message.subject[1])
            for message in self.messages
            for at, features in enumerate(_subject_features(message))
        ]

    def weights(self) -> dict[str, float]:
        """The weights that training gives, of each part of a subject and feature."""
        features = [[*_subject_features(message)] for message in self.messages]
        columns = _columns(word for text in features for word in text)
        texts = [
            span_model.Text(
                [_known(word, columns) for word in text], [*spans(message.tokens, message.intent)], message.subject
            )
            for message, text in zip(self.messages, features, strict=True)
        ]
        return _named(span_model.train(texts, len(columns), _DECAY_OF_SUBJECTS), columns, (INSIDE, FIRST, LAST))


def subject_classifier() -> SubjectClassifier:
    """The classifier of the words that a command is about, to be trained."""
    messages = (one for one in _learned() if one.intent in _ABOUT)
    return SubjectClassifier(
        [one for one in messages if one.subject is None or one.subject in spans(one.tokens, one.intent)]
    )


def _subject_features(message: Message) -> Iterator[list[str]]:
    return subject_features(message.tokens, message.intent, message.asking)


def _columns(rows: Iterator[list[str]]) -> dict[str, int]:
    """The columns of the features that enough rows have."""
    counts = Counter(feature for row in rows for feature in row)
    return {feature: at for at, feature in enumerate(sorted(one for one in counts if counts[one] >= _FEWEST))}


def _known(features: Sequence[str], columns: dict[str, int]) -> list[int]:
    return [columns[one] for one in features if one in columns]


def _named(learned: Matrix, columns: dict[str, int], classes: Sequence[str]) -> dict[str, float]:
    return {
        f"{feature}{SEPARATOR}{name}": float(weight)
        for feature, at in columns.items()
        for name, weight in zip(classes, learned[at], strict=True)
        if abs(weight) >= _SMALLEST
    }


_OUTCOMES = ("right", "wrong subject", "wrong command", "nothing")


def main() -> None:
    """Say what is recognized of messages."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", type=Path, default=_DATA / "commands_unread.txt")
    counts = Counter(map(_outcome, _lines(options.parse_args().file)))
    kinds = [*dict.fromkeys(kind for kind, _ in counts)]
    print(f"{'':18}{''.join(f'{outcome:>15}' for outcome in _OUTCOMES)}")
    for kind in (*(one for one in kinds if one != NONE), NONE):
        print(f"{kind:18}{''.join(f'{counts[kind, outcome]:15}' for outcome in _OUTCOMES)}")
    asked = sum(count for (kind, _), count in counts.items() if kind != NONE)
    right = sum(count for (kind, outcome), count in counts.items() if kind != NONE and outcome == "right")
    false = sum(count for (kind, outcome), count in counts.items() if kind == NONE and outcome != "nothing")
    print(f"{right} of {asked} understood, {false} of {sum(counts.values()) - asked} others taken for a command")


def _outcome(line: str) -> tuple[str, str]:
    """What a message asks for, and how it is recognized."""
    kind, _, marked = line.partition("|")
    subject = " ".join(re.findall(r"\{([^{}]*)\}", marked))
    found = recognize(_MARKS.sub("", marked))
    if found is None:
        return kind, "nothing"
    if found.kind != kind and {found.kind.value, kind} != _ALIKE:
        return kind, "wrong command"
    named = found.subject or found.statement or ""
    is_right = kind not in _NAMES_SUBJECT or set(words(search_words(named))) == set(words(search_words(subject)))
    return kind, "right" if is_right else "wrong subject"


if __name__ == "__main__":
    main()
