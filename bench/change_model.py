"""Trains the classifier of changed parts of a life, and writes `life_change_weights.txt`.

It learns from sentences written for it (`bench/data/life_changes.txt`), from the pairs of the sets of chats that are
read, and from ordinary sentences: those of LoCoMo (`--locomo`) and of files with a JSON object a line that has a `text`
(`--utterances`). `--without SET` leaves a set of pairs out and says how many of its changes are recognized. Needs the
extra `local-embeddings`; takes some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from keepsake.domain.extraction.rules.extract import extract
from keepsake.domain.merging import changes
from keepsake.domain.merging.changes.life_change_classifier import MIN_PROBABILITY
from keepsake.domain.merging.changes.life_sentences import read_life_sentences
from keepsake.domain.merging.parts_of_life import parts_of
from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.models.model_folder import bundled_model

_DATA = Path(__file__).parent / "data"
_WEIGHTS = Path(changes.__path__[0]) / "data" / "life_change_weights.txt"
_HEADING = "# Weights in hundredths, by part of life: the bias, then each dimension; made by bench/change_model.py.\n"
_READ = {"chat": 1, "chat_changes": 1, "chat_sixth": 1, "chat_unseen": 2, "chat_third": 2, "chat_fourth": 2}
"""The sets of pairs that are read; of some only every second line is, beginning with the first."""
_NONE = "none"
_WRITTEN, _KEPT, _ORDINARY = 3.0, 2.0, 0.5
_ROUNDS, _STEP, _DECAY, _SCALE = 300, 0.05, 1e-4, 4.0
_SESSION = re.compile(r"session_\d+")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence, the parts of a life that it says have changed, if any, and its weight in training."""

    text: str
    parts: frozenset[str]
    weight: float
    source: str


def written_samples() -> Iterator[Sample]:
    """The sentences that were written for this."""
    part = ""
    for line in (_DATA / "life_changes.txt").read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark == "M":
            part = text.partition(":")[0]
        elif mark in {"+", "-"}:
            yield Sample(text, frozenset({part}) if mark == "+" else frozenset(), _WRITTEN, "written")


def pair_samples() -> Iterator[Sample]:
    """The pairs that are read: first messages, which state something, and what follows, changes as whole messages."""
    for name, step in _READ.items():
        lines = (_DATA / name / "supersede_probes.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, lines[::step]):
            first, last = row["turns"][0], row["turns"][-1]
            yield from (Sample(one, frozenset(), _KEPT, name) for one in read_life_sentences(first))
            if "replaced" not in row:
                yield from (Sample(one, frozenset(), _KEPT, name) for one in read_life_sentences(last))
                continue
            changed = [one for one in extract(first) if re.search(row["replaced"], one.text, re.IGNORECASE)]
            if parts := frozenset(part for one in changed for part in parts_of(one)):
                yield Sample(last, parts, _WRITTEN, name)


def ordinary_samples(locomo: Path, utterances: Path) -> Iterator[Sample]:
    """Sentences of messages that tell of no change, but for a few."""
    texts = [row["text"] for row in map(json.loads, utterances.read_text(encoding="utf-8").splitlines())]
    texts += _messages(json.loads(locomo.read_text(encoding="utf-8")))
    for sentence in dict.fromkeys(one for text in texts for one in read_life_sentences(text)):
        yield Sample(sentence, frozenset(), _ORDINARY, "ordinary")


def _messages(conversations: Sequence[dict[str, Any]]) -> list[str]:
    return [
        message["text"]
        for one in conversations
        for name, session in one["conversation"].items()
        if _SESSION.fullmatch(name)
        for message in session
    ]


async def embed(texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The vectors of texts, each with a one behind it for the bias."""
    embedder = LocalEmbedder(bundled_model())
    try:
        made = await embedder.embed(texts, deadline=asyncio.get_running_loop().time() + 3600)
    finally:
        await embedder.close()
    vectors = np.array([list(one) for one in made.vectors], np.float32) * _SCALE
    return np.hstack([vectors, np.ones((len(vectors), 1), np.float32)])


def train(
    rows: np.ndarray[Any, Any], samples: Sequence[Sample], parts: Sequence[str]
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The weights of each part by softmax regression, with Adam and weight decay."""
    wanted = np.zeros((len(samples), len(parts)), np.float32)
    for row, sample in zip(wanted, samples, strict=True):
        for part in sample.parts or {_NONE}:
            row[parts.index(part)] = 1 / max(1, len(sample.parts))
    share = np.array([sample.weight for sample in samples], np.float32)[:, None]
    share /= share.sum()
    weights = np.zeros((rows.shape[1], len(parts)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for number in range(1, _ROUNDS + 1):
        slope = rows.T @ ((probabilities(rows @ weights) - wanted) * share) + _DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
        weights -= _STEP * (mean / (1 - 0.9**number)) / (np.sqrt(square / (1 - 0.999**number)) + 1e-8)
    return weights


def probabilities(scores: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The softmax of each row."""
    odds: np.ndarray[Any, Any] = np.exp(scores - scores.max(1, keepdims=True))
    total: np.ndarray[Any, Any] = odds.sum(1, keepdims=True)
    shares: np.ndarray[Any, Any] = odds / total
    return shares


def evaluate(found: np.ndarray[Any, Any], samples: Sequence[Sample], parts: Sequence[str]) -> None:
    """Print how many changes are recognized with their part, and how many other sentences are taken for one."""
    known = wrong = 0
    for row, sample in zip(found, samples, strict=True):
        known += bool(sample.parts) and sum(row[parts.index(part)] for part in sample.parts) >= MIN_PROBABILITY
        wrong += not sample.parts and 1 - row[parts.index(_NONE)] >= MIN_PROBABILITY
    changed = sum(bool(sample.parts) for sample in samples)
    print(f"recognized {known} of {changed} changes; taken for one {wrong} of {len(samples) - changed} other sentences")


def main() -> None:
    """Train and write the weights, or evaluate them on a set that is left out."""
    options = argparse.ArgumentParser(prog="python -m bench.change_model", description=__doc__)
    options.add_argument("--locomo", type=Path, required=True, help="a LoCoMo file")
    options.add_argument("--utterances", type=Path, required=True, help="a file with a JSON object a line")
    options.add_argument("--without", choices=_READ, help="the set of pairs to leave out")
    given = options.parse_args()
    samples = [*written_samples(), *pair_samples(), *ordinary_samples(given.locomo, given.utterances)]
    parts = [_NONE, *sorted({part for sample in samples for part in sample.parts})]
    rows = asyncio.run(embed([sample.text for sample in samples]))
    is_used = np.array([sample.source != given.without for sample in samples])
    used = [sample for sample in samples if sample.source != given.without]
    weights = train(rows[is_used], used, parts)
    if given.without:
        held = [sample for sample in samples if sample.source == given.without]
        evaluate(probabilities(rows[~is_used] @ weights), held, parts)
        return
    weights[:-1] *= _SCALE
    lines = (
        f"{part} = {' '.join(str(round(float(number) * 100)) for number in (column[-1], *column[:-1]))}\n"
        for part, column in zip(parts, weights.T, strict=True)
    )
    _WEIGHTS.write_text(_HEADING + "".join(lines), encoding="utf-8")
    print(f"{len(parts)} parts, {len(samples)} sentences")


if __name__ == "__main__":
    main()
