"""What the classifier of endings learns from: messages that plainly say that a memory is over, and others.

In ``bench/data/endings.txt`` and ``life_changes*.txt`` a memory (M) stands before the messages about it. "!" marks
those by which it is over, "-" those that leave it as it is, and "+" those by which it may have changed: no end either,
but of those that tell it by a picture nothing is learned. Ordinary sentences end nothing, whatever they name.
``bench.training.classifiers`` trains it; ``--parts 5`` tells what it recognizes of memories that are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from bench.training.linear_model import Classifier, Row, Training
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory, MemoryType, Source, Status, Subtype
from keepsake.domain.merging.changes.life_changes import CLASSIFIER, ending_features, said_names
from keepsake.domain.reading.changes.life_change_classifier import BIAS
from keepsake.domain.reading.changes.read_changes import read_life_sentences
from keepsake.domain.reading.statements.key_of_text import read_statement

_DATA = Path(__file__).parents[1] / "data"
_PLAIN = "endings"
_WRITTEN = (_PLAIN, "life_changes", "life_changes_two", "life_changes_three")
_TRAINING = Training(rounds=10, step=0.1, left_out=0.3, models=4, smallest=0.08)
_ORDINARY = 0.1
_LIMITS = (0.3, 0.5, 0.6, 0.7, 0.8)
_NAME = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Sample:
    """A message beside the memory before it, and whether the memory is over."""

    row: Row
    text: str
    memory: str
    source: str
    is_named: bool


def samples() -> Iterator[Sample]:
    """The messages that were written beside memories."""
    for source in _WRITTEN:
        memory: Memory | None = None
        for line in (_DATA / f"{source}.txt").read_text(encoding="utf-8").splitlines():
            mark, _, text = line.partition(" ")
            if mark == "M":
                memory = _memory(text.partition(": ")[2])
            elif memory and (mark in {"!", "-"} or (mark == "+" and source == _PLAIN)):
                names = said_names(memory, text)
                features = ending_features(text, names, memory)
                yield Sample(Row(features, mark == "!"), text, memory.text, source, bool(names))


def _memory(text: str) -> Memory:
    """A memory with this text, as far as it matters what it is about."""
    stated = read_statement(text)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Memory(
        id=UUID(int=0), memory_no=1, type=stated.type if stated else MemoryType.FACT,
        subtype=stated.subtype if stated else Subtype.OTHER, text=text, key=stated.key if stated else None,
        value=stated.value if stated else None, entity_label=stated.entity_label if stated else None,
        confidence=0.8, importance=1, pinned=False, source=Source.RULE_EXTRACTION, status=Status.ACTIVE,
        reference_count=0, created_at=at, valid_from=at,
    )  # fmt: skip


def _ordinary_rows() -> Iterator[Row]:
    """Sentences of messages that are about anything: they end nothing, whichever of their words names it."""
    chance = random.Random(3)  # noqa: S311 (the same words each time)
    for text in _ordinary_texts():
        for sentence in read_life_sentences(text):
            named = _NAME.findall(sentence.lower())
            for names in (
                frozenset(),
                *(frozenset(content_words(one)) for one in chance.sample(named, min(3, len(named)))),
            ):
                yield Row(ending_features(sentence, names), is_positive=False, weight=_ORDINARY)


def _ordinary_texts() -> Iterator[str]:
    for line in (_DATA / "turns.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["text"]
    for line in (_DATA / "statements.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield re.sub(r"[{}]", "", line)


def ending_model(selected: list[Sample] | None = None) -> Classifier:
    """The classifier of endings, to be trained with these samples, or all."""
    rows = [one.row for one in (samples() if selected is None else selected)]
    return Classifier(CLASSIFIER, [*rows, *_ordinary_rows()], _TRAINING, BIAS, random.Random(5))  # noqa: S311


def evaluate(parts: int) -> None:
    """Print what is recognized of memories that are left out, and what is taken for an end."""
    known = [*samples()]
    memories = list(dict.fromkeys(one.memory for one in known))
    random.Random(1).shuffle(memories)  # noqa: S311 (the same parts each time)
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for part in range(parts):
        left_out = {*memories[part::parts]}
        weights = ending_model([one for one in known if one.memory not in left_out]).weights()
        for one in known:
            if one.memory in left_out:
                score = sum(weights.get(feature, 0.0) for feature in one.row.features)
                about = f"{'over' if one.row.is_positive else 'not over'}, {'named' if one.is_named else 'not named'}"
                found[one.source, about].append(1 / (1 + math.exp(-score)))
    for (source, about), shares in sorted(found.items()):
        counts = ", ".join(f"{limit}: {sum(share >= limit for share in shares)}" for limit in _LIMITS)
        print(f"{source}, {about}: of {len(shares)} are over from {counts}")


def main() -> None:
    """Evaluate on memories that are left out."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--parts", type=int, default=5, help="how many times to leave a part of the memories out")
    evaluate(options.parse_args().parts)


if __name__ == "__main__":
    main()
