"""Trains the classifier of lasting facts (``statement_weights.txt``) on messages of the repository.

A linear model (``bench/linear_model.py``) of pieces of messages. It learns from the messages of ``bench/data/statements.txt``,
in which braces mark the facts, and from the chat sets that are read by those who work on the rules: of the sets that are
not, nothing is opened. ``--without chat_sixth:c`` trains without a set, or without the author of a set, and tells what the
rules with such weights find there; it writes nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.linear_model import Row, Training, train
from keepsake.domain.extraction import rules
from keepsake.domain.extraction.rules import classified_statements, statement_classifier
from keepsake.domain.extraction.rules.read_message import read_message
from keepsake.domain.extraction.rules.statement_classifier import BIAS, statement_features
from keepsake.domain.extraction.rules.statement_pieces import Piece, statement_pieces
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.memory import MemoryType
from keepsake.domain.text import shorten_runs

_DATA = Path(__file__).parent / "data"
_WEIGHTS = Path(rules.__path__[0]) / "data" / "statement_weights.txt"
_HEADING = "# Weights of the classifier of statements, by feature; made by bench/statement_model.py.\n"
_READ_WHOLE, _READ_ODD = ("chat", "chat_sixth"), ("chat_unseen", "chat_third", "chat_fourth")
_MARKED = re.compile(r"\{([^{}]*)\}")
_TRAINING = Training(rounds=8, step=0.1, left_out=0.3, models=4, smallest=0.03)
_LIMITS = (0.5, 1.0, 1.5, 2.0, float("inf"))


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece to learn from, whether it states a fact, and the set and author it is from."""

    piece: Piece
    is_fact: bool
    source: str


def samples() -> Iterator[Sample]:
    """The pieces of all messages that are read; those that a set allows and does not ask for are left out."""
    for line in (_DATA / "statements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            marked = [_plain(words) for words in _MARKED.findall(line)]
            for piece in statement_pieces(shorten_runs(re.sub(r"[{}]", "", line))):
                is_fact = any(_plain(piece.quote) in one or one in _plain(piece.quote) for one in marked)
                yield Sample(piece, is_fact, "statements")
    for source, row in _messages():
        for piece in statement_pieces(shorten_runs(row["text"])):
            if _any(_facts(row), piece.words):
                yield Sample(piece, is_fact=True, source=source)
            elif not _any(row["ok"], piece.words):
                yield Sample(piece, is_fact=False, source=source)


def _messages() -> Iterator[tuple[str, dict[str, Any]]]:
    """The single messages of the chat sets that are read, each with its set and author."""
    for name in (*_READ_WHOLE, *_READ_ODD):
        lines = (_DATA / name / "turns.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines if name in _READ_WHOLE else lines[::2]:
            row = json.loads(line)
            yield f"{name}:{row['id'][0]}" if name == "chat_sixth" else name, row


def _plain(words: str) -> str:
    return " ".join(words.lower().split())


def _facts(row: Mapping[str, Any]) -> list[str]:
    return [fact["re"] for fact in row["keep"]]


def _any(patterns: list[str], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def weights(select: Callable[[Sample], bool]) -> dict[str, float]:
    """The weights that the selected samples give."""
    rows = (Row(statement_features(one.piece), one.is_fact) for one in samples() if select(one))
    return train(rows, _TRAINING, BIAS, random.Random(9))  # noqa: S311 (the same weights each time)


def evaluate(held_out: str) -> None:
    """Train without a set, and print what is found in its messages at each limit."""
    learned = weights(lambda one: not one.source.startswith(held_out))
    statement_classifier.load_weights = lambda: learned
    for limit in _LIMITS:
        classified_statements.LIMIT = limit
        counts: Counter[str] = Counter()
        for source, row in _messages():
            if source.startswith(held_out):
                counts += _count(row)
        print(
            f"from {limit}: {counts['found']} of {counts['facts']} facts, {counts['right']} of {counts['stored']} memories "
            f"right or allowed, {counts['junk']} of {counts['empty']} empty messages with a memory"
        )


def _count(row: Mapping[str, Any]) -> Counter[str]:
    found = read_message(row["text"]).candidates
    screened = screen_candidates(found, allowed_types=frozenset(MemoryType), message=row["text"])
    texts = [candidate.text for candidate in screened.accepted if candidate.text]
    facts = _facts(row)
    return Counter(
        facts=len(facts),
        found=sum(any(_any([fact], text) for text in texts) for fact in facts),
        stored=len(texts),
        right=sum(_any([*facts, *row["ok"]], text) for text in texts),
        empty=not facts,
        junk=not facts and bool(texts),
    )


def main() -> None:
    """Train and write the weights, or evaluate on a set that is left out."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--without", help="a set, or an author of it (chat_sixth:c), to leave out")
    given = options.parse_args()
    if given.without:
        evaluate(given.without)
        return
    learned = weights(lambda one: True)
    lines = (f"{feature} = {weight:.2f}\n" for feature, weight in sorted(learned.items()))
    _WEIGHTS.write_text(_HEADING + "".join(lines), encoding="utf-8")
    print(f"{len(learned)} weights")


if __name__ == "__main__":
    main()
