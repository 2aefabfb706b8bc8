"""Trains the classifier of changed parts of a life, over words.

It learns from sentences written for it (`bench/data/endings.txt`, `life_changes*.txt`), from the pairs of the sets of
chats that are read, and from ordinary sentences, of the repository and of a file (`--utterances`).
`--without life_changes_two` leaves a writer or a set out and tells how many of its changes are recognized, with
`--locomo` also how many sentences of LoCoMo are taken for one.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bench.training.softmax_model import Matrix, WordRows, probabilities, train
from bench.training.weights_file import write_weights
from keepsake.domain.english.classifiers import SEPARATOR
from keepsake.domain.merging.parts_of_life import parts_of
from keepsake.domain.reading.changes.life_change_classifier import (
    BIAS,
    CLASSIFIER,
    word_features,
)
from keepsake.domain.reading.changes.read_changes import read_life_sentences
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import read_statement

_DATA = Path(__file__).parents[1] / "data"
_WRITERS = ("endings", "life_changes", "life_changes_two", "life_changes_three")
_READ = {"chat": 1, "chat_changes": 1, "chat_sixth": 1, "chat_unseen": 2, "chat_third": 2, "chat_fourth": 2}
"""The sets of chats that are read; of some only every second line is, beginning with the first."""
_NONE = "none"
_OTHER_NAMES = {"pets": "pet", "family": "relative", "hobby": "habit"}
_WRITTEN, _ORDINARY = 1.0, 0.6
_DECAY = 4e-5
_MIN_TEXTS, _SMALLEST = 3, 0.2
_SESSION = re.compile(r"session_\d+")
_LIMITS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class Sample:
    """A message, the parts of a life that it says have changed, if any, and what it is written about."""

    text: str
    parts: frozenset[str]
    weight: float
    source: str
    about: frozenset[str] = frozenset()
    """The parts of the memory that a written message changes, or leaves as it is."""


def written_samples() -> Iterator[Sample]:
    """The messages that were written for this."""
    for source in _WRITERS:
        about: frozenset[str] = frozenset()
        for line in (_DATA / f"{source}.txt").read_text(encoding="utf-8").splitlines():
            mark, _, text = line.partition(" ")
            if mark == "M":
                part, _, memory = text.partition(": ")
                stated = read_statement(memory)
                about = (parts_of(stated) if stated else frozenset()) or frozenset({_OTHER_NAMES.get(part, part)})
            elif mark in {"!", "+", "-"}:
                yield Sample(text, frozenset() if mark == "-" else about, _WRITTEN, source, about)


def pair_samples() -> Iterator[Sample]:
    """The pairs that are read: first messages, which state something, and what follows, changes as whole messages."""
    for name, step in _READ.items():
        lines = (_DATA / name / "supersede_probes.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, lines[::step]):
            first, last = row["turns"][0], row["turns"][-1]
            yield from (Sample(one, frozenset(), _WRITTEN, name) for one in read_life_sentences(first))
            if "replaced" not in row:
                yield from (Sample(one, frozenset(), _WRITTEN, name) for one in read_life_sentences(last))
                continue
            changed = [one for one in extract(first) if re.search(row["replaced"], one.text, re.IGNORECASE)]
            if parts := frozenset(part for one in changed for part in parts_of(one)):
                yield Sample(last, parts, _WRITTEN, name, parts)


def ordinary_samples(utterances: Path) -> Iterator[Sample]:
    """Sentences of messages that tell of no change, but for a few."""
    for line in utterances.read_text(encoding="utf-8").splitlines():
        yield from _ordinary(json.loads(line)["text"], "utterances")
    for name, step in _READ.items():
        file = _DATA / name / "turns.jsonl"
        for line in file.read_text(encoding="utf-8").splitlines()[::step] if file.exists() else ():
            yield from _ordinary(json.loads(line)["text"], name)
    for line in (_DATA / "turns.jsonl").read_text(encoding="utf-8").splitlines():
        yield from _ordinary(json.loads(line)["text"], "turns")
    for line in (_DATA / "statements.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from _ordinary(re.sub(r"[{}]", "", line), "statements")


def _ordinary(text: str, source: str) -> Iterator[Sample]:
    return (Sample(one, frozenset(), _ORDINARY, source) for one in read_life_sentences(text))


def locomo_messages(path: Path) -> list[str]:
    """The messages of a LoCoMo file, by which false changes are counted; nothing is learned from them."""
    return [
        message["text"]
        for one in json.loads(path.read_text(encoding="utf-8"))
        for name, session in one["conversation"].items()
        if _SESSION.fullmatch(name)
        for message in session
    ]


def known_features(texts: Sequence[str]) -> list[str]:
    """The features of words that several texts have."""
    counts = Counter(feature for text in texts for feature in word_features(text))
    return [feature for feature, count in counts.items() if count >= _MIN_TEXTS]


def _word_rows(texts: Sequence[str], known: Sequence[str]) -> WordRows:
    """The known features of each text; every text has at least the bias."""
    column = {feature: index for index, feature in enumerate(known)}
    rows = [[column[feature] for feature in word_features(text) if feature in column] for text in texts]
    return WordRows.of(rows, len(known))


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of words for each part of a life, and for none."""

    parts: list[str]
    features: list[str]
    words: Matrix

    @classmethod
    def learn(cls, samples: Sequence[Sample]) -> Model:
        """Train it with these samples."""
        parts = [_NONE, *sorted({part for sample in samples for part in sample.parts})]
        texts = [sample.text for sample in samples]
        features = known_features(texts)
        wanted = np.zeros((len(samples), len(parts)), np.float32)
        for row, sample in zip(wanted, samples, strict=True):
            for part in sample.parts or {_NONE}:
                row[parts.index(part)] = 1 / max(1, len(sample.parts))
        share = np.array([sample.weight for sample in samples], np.float32)
        return cls(parts, features, train(_word_rows(texts, features), wanted, share, _DECAY))

    def probabilities(self, texts: Sequence[str]) -> Matrix:
        """The probabilities of the parts for each text."""
        return probabilities(_word_rows(texts, self.features) @ self.words)

    def write(self) -> None:
        """Write the weights into the binary of the classifiers."""
        weights = {
            f"{feature}{SEPARATOR}{part}": float(weight)
            for feature, row in zip(self.features, self.words, strict=True)
            if feature == BIAS or (abs(row) >= _SMALLEST).any()
            for part, weight in zip(self.parts, row, strict=True)
            if abs(weight) >= _SMALLEST
        }
        card = {"trained_by": "bench.training.change_model", "on": str(datetime.now(UTC).date())}
        write_weights(CLASSIFIER, weights, card)


def evaluate(model: Model, samples: Sequence[Sample], ordinary: Sequence[str]) -> None:
    """Print how many changes are recognized with their part, and how many other messages are taken for one."""
    changed, kept = ([one for one in samples if bool(one.parts) is is_change] for is_change in (True, False))
    sentences = list(dict.fromkeys(one for sample in samples for one in read_life_sentences(sample.text)))
    found = model.probabilities([*sentences, *ordinary])
    row_of = dict(zip(sentences, found, strict=False))
    for limit in _LIMITS:
        known, wrong = (
            sum(
                any(
                    sum(row_of[text][model.parts.index(part)] for part in one.about & {*model.parts}) >= limit
                    for text in read_life_sentences(one.text)
                )
                for one in group
            )
            for group in (changed, kept)
        )
        taken = sum(1 - row[0] >= limit for row in found[len(sentences) :])
        print(
            f"{limit}: recognized {known} of {len(changed)}; wrong {wrong} of {len(kept)}"
            f" and {taken} of {len(ordinary)} ordinary sentences"
        )


def main() -> None:
    """Train and write the weights, or evaluate them on a writer or set that is left out."""
    options = argparse.ArgumentParser(prog="python -m bench.training.change_model", description=__doc__)
    options.add_argument(
        "--utterances", type=Path, required=True, help="a file with a JSON object a line, with a `text`"
    )
    options.add_argument("--without", choices=(*_WRITERS, *_READ), help="the writer or set of chats to leave out")
    options.add_argument("--locomo", type=Path, help="a LoCoMo file, to count false changes in")
    given = options.parse_args()
    samples = [*written_samples(), *pair_samples(), *ordinary_samples(given.utterances)]
    model = Model.learn([sample for sample in samples if sample.source != given.without])
    if not given.without:
        model.write()
        print(f"{len(model.parts)} parts, {len(model.features)} features, {len(samples)} messages")
        return
    messages = locomo_messages(given.locomo) if given.locomo else []
    ordinary = [one for text in messages for one in read_life_sentences(text)]
    evaluate(model, [one for one in samples if one.source == given.without], ordinary)


if __name__ == "__main__":
    main()
