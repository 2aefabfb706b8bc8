"""What the classifier of durable facts learns from: messages of the repository.

A linear model (``bench/training/linear_model.py``) of the clauses of messages. It learns from
``bench/data/statements.txt`` and ``statements_two.txt``, in which {braces} mark the facts and {?these} what may be kept
and need not, which is left out, and from the chat sets that those who work on the rules read: no other set is opened.
``--without chat_sixth:c`` trains without a set, or without an author of it, and tells what the rules with such weights
find there. ``bench.training.classifiers`` trains it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.training.linear_model import Classifier, Row, Training
from keepsake.domain.english.classifiers import BIAS
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading import read
from keepsake.domain.reading.clauses.split_clauses import Clause, split_clauses
from keepsake.domain.reading.statements import classified_statements
from keepsake.domain.reading.statements.classified_statements import statement_features
from keepsake.domain.text import shorten_runs

_DAY = datetime(2026, 11, 21, tzinfo=UTC)
_DATA = Path(__file__).parents[1] / "data"
_MARKED_FILES = ("statements", "statements_two")
"""The files in which braces mark facts."""
_READ_WHOLE, _READ_ODD = ("chat", "chat_sixth"), ("chat_unseen", "chat_third", "chat_fourth")
_MARKED = re.compile(r"\{(\??)([^{}]*)\}")
_MARKS = re.compile(r"\{\??|\}")
_TRAINING = Training(rounds=8, step=0.1, left_out=0.3, models=4, smallest=0.03, fewest=3)
_SHARES = (
    ("facts", "found", "facts"),
    ("memories right or allowed", "right", "stored"),
    ("empty messages with a memory", "junk", "empty"),
)
_LIMITS = (0.5, 1.0, 1.5, 2.0, float("inf"))


@dataclass(frozen=True, slots=True)
class Sample:
    """A clause to learn from, whether it states a fact, and the set and author it is from."""

    clause: Clause
    is_fact: bool
    source: str


def samples() -> Iterator[Sample]:
    """The clauses of all messages that are read; those that a set allows and does not ask for are left out."""
    for source in _MARKED_FILES:
        for line in (_DATA / f"{source}.txt").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield from _marked(line, source)
    for source, row in _messages():
        for clause in _clauses(row["text"]):
            if _any(_facts(row), clause.said):
                yield Sample(clause, is_fact=True, source=source)
            elif not _any(row["ok"], clause.said):
                yield Sample(clause, is_fact=False, source=source)


def _clauses(text: str) -> Iterator[Clause]:
    return (clause for clause in split_clauses(shorten_runs(text)) if not clause.is_embedded)


def _marked(line: str, source: str) -> Iterator[Sample]:
    marked = {mark: [_in_lower_case(words) for of, words in _MARKED.findall(line) if of == mark] for mark in ("", "?")}
    for clause in _clauses(_MARKS.sub("", line)):
        said = _in_lower_case(clause.quote)
        is_fact, is_doubtful = (any(said in one or one in said for one in marked[mark]) for mark in ("", "?"))
        if is_fact or not is_doubtful:
            yield Sample(clause, is_fact, source)


def _messages() -> Iterator[tuple[str, dict[str, Any]]]:
    """The single messages of the chat sets that are read, each with its set and author."""
    for name in (*_READ_WHOLE, *_READ_ODD):
        lines = (_DATA / name / "turns.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines if name in _READ_WHOLE else lines[::2]:
            row = json.loads(line)
            yield f"{name}:{row['id'][0]}" if name == "chat_sixth" else name, row


def _in_lower_case(words: str) -> str:
    return " ".join(words.lower().split())


def _facts(row: Mapping[str, Any]) -> list[str]:
    return [fact["re"] for fact in row["keep"]]


def _any(patterns: list[str], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def statement_classifier(without: str | None = None) -> Classifier:
    """The classifier of durable facts, to be trained, without the messages of a set or an author."""
    selected = (one for one in samples() if without is None or not one.source.startswith(without))
    rows = [Row(statement_features(one.clause), one.is_fact) for one in selected]
    return Classifier("statement", rows, _TRAINING, BIAS, random.Random(9))  # noqa: S311 (the same weights each time)


def evaluate(held_out: str) -> None:
    """Train without a set, and print what is found in its messages at each limit."""
    learned = statement_classifier(held_out).weights()
    rows = [row for source, row in _messages() if source.startswith(held_out)]
    for limit in _LIMITS:
        with (
            patch.object(classified_statements, "load_weights", return_value=learned),
            patch.object(classified_statements, "LIMIT", limit),
        ):
            counts = sum((_count(row) for row in rows), Counter[str]())
        shares = ((name, counts[part], counts[whole]) for name, part, whole in _SHARES)
        print(f"from {limit}: " + ", ".join(f"{part} of {whole} {name}" for name, part, whole in shares))


def _count(row: Mapping[str, Any]) -> Counter[str]:
    found = read(row["text"], said_at=_DAY).candidates
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
    """Evaluate on a set that is left out."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--without", required=True, help="a set, or an author of it (chat_sixth:c), to leave out")
    evaluate(options.parse_args().without)


if __name__ == "__main__":
    main()
