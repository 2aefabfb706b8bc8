"""Trains what turns the vector of a message toward the memories that it needs: `message_needs.npz`.

Two steps: a linear model tells the subjects of a message (`bench/data/message_needs.txt`) by the last layers of the
encoder; each subject then gets a direction in the space of embeddings. It begins as that of the memories
(`bench/data/needed_memories.txt`) about the topics that the subject asks for (`needed_topics.txt`), and is corrected,
with one that all subjects share, by people whose needed memories are known (`bench/data/people`). Prints the average
precision for people who were left out, and writes the weights. Needs the extra `local-embeddings`; takes a minute.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.training.layer_training import Floats, layer_means, sigmoid
from keepsake.domain import context
from keepsake.domain.context.few_memories import WEIGHTS_OF_FEW
from keepsake.domain.context.topics import memory_topics, requested_topics
from keepsake.domain.english.load_word_lists import load_pairs, load_sections
from keepsake.infra.models.message_needs import NEED_WEIGHTS, subject_shares
from keepsake.infra.models.sentence_encoder import embeddings

_PEOPLE = Path(__file__).parents[1] / "data" / "people" / "people_one.jsonl"
_MORE_SUBJECTS = {"baby": "pregnant 3, children 1.5, work 1"}
"""Subjects that the table of topics has not; the last one in the file, none, has no direction."""
_MAX_WEIGHT = 3.0
_FOLDS = 5
_ROUNDS, _STEP, _DECAY = 200, 0.05, 3e-2
_CORRECTIONS, _CORRECTION_STEP, _CORRECTION_DECAY = 40, 1.25e-3, 2.5
_START = 0.3
"""The length of the direction of one topic that is needed most; the embedding of a message is of length one."""
_SIMILARITY = 16.0
"""What a similarity of 1 counts in the score of few memories, about."""
_SHARPNESS, _PRIOR = 0.75, -4.0
"""Which score makes it how likely that a memory is needed."""

Subjects = tuple[Floats, Floats]
"""The weights and the bias of the model of subjects."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Messages of people, and each with all memories of its person."""

    layers: Floats
    """Of the messages."""
    message: npt.NDArray[np.int64]
    """The message of each pair."""
    memories: Floats
    known: Floats
    """What selection knows of each pair without the directions."""
    needed: npt.NDArray[np.bool_]
    counted: npt.NDArray[np.bool_]
    """Not where a memory is allowed, and not needed."""


def read_pairs(people: Sequence[Mapping[str, Any]]) -> Pairs:
    """Every message of each person with every memory."""
    asked = [(person, message) for person in people for message in person["messages"]]
    layers, rows = layer_means([message["text"] for _, message in asked]), []
    memories = {person["id"]: _embed(person["memories"]) for person in people}
    for number, (person, message) in enumerate(asked):
        of_person = memories[person["id"]]
        known = _SIMILARITY * of_person @ _last(layers[number : number + 1])[0]
        places = range(len(of_person))
        needed, allowed = ([place in message[name] for place in places] for name in ("needed", "allowed"))
        known += WEIGHTS_OF_FEW.topic * _topic_scores(person["memories"], message["text"])
        rows.append((np.full(len(of_person), number), of_person, known, np.array(needed), np.array(allowed)))
    message_of, vectors, known, is_needed, is_allowed = map(np.concatenate, zip(*rows, strict=True))
    return Pairs(layers, message_of, vectors, known, is_needed, is_needed | ~is_allowed)


def _topic_scores(memories: Sequence[str], message: str) -> Floats:
    """As selection by topic, without its care for relatives."""
    requested, topics = requested_topics(message), [memory_topics(text) for text in memories]
    counts = Counter(topic for of_memory in topics for topic in of_memory)
    shares = ([requested.get(topic, 0.0) * of[topic] / counts[topic] ** 0.5 for topic in of] for of in topics)
    return np.array([max(one, default=0.0) for one in shares], np.float32)


def learn_subjects(layers: Floats, wanted: Floats) -> Subjects:
    """The linear model of subjects, by Adam."""
    mean, deviation = layers.mean(axis=0), layers.std(axis=0) + np.float32(1e-6)
    scaled = (layers - mean) / deviation
    weights, bias = np.zeros((layers.shape[1], wanted.shape[1]), np.float32), np.zeros(wanted.shape[1], np.float32)
    steps = _Adam(_STEP)
    for _ in range(_ROUNDS):
        error = (subject_shares(scaled @ weights + bias) - wanted) / len(scaled)
        weights -= steps.next(scaled.T @ error + _DECAY * weights)
        bias -= 10 * _STEP * error.sum(axis=0)
    weights /= deviation[:, None]
    return weights, bias - mean @ weights


def first_directions(subjects: Sequence[str]) -> Floats:
    """The direction of each subject by the topics it asks for; that of all together, in the last row, is not known."""
    topics = load_sections("needed_memories", "bench")
    centers = {topic: _embed(texts).mean(axis=0) for topic, texts in topics.items()}
    middle = np.average([*centers.values()], axis=0, weights=[len(texts) for texts in topics.values()])
    asked = {**load_pairs("needed_topics", context.__name__), **_MORE_SUBJECTS}
    directions = np.zeros((len(subjects) + 1, len(middle)), np.float32)
    for number, subject in enumerate(subjects):
        for topic, weight in map(str.split, asked[subject].split(", ")):
            if topic in centers:
                apart = centers[topic] - middle
                directions[number] += _START * float(weight) / _MAX_WEIGHT * apart / np.linalg.norm(apart)
    return directions


def correct(directions: Floats, shares: Floats, pairs: Pairs, rows: npt.NDArray[np.bool_]) -> Floats:
    """The directions after some steps toward the memories that are needed, of the pairs in ``rows``."""
    of, memories, known = pairs.message[rows], pairs.memories[rows], pairs.known[rows]
    needed, changed, bias, steps = pairs.needed[rows], directions.copy(), _PRIOR, _Adam(_CORRECTION_STEP)
    starts = np.flatnonzero(np.diff(of, prepend=-1))
    for _ in range(_CORRECTIONS):
        scores = known + _SIMILARITY * ((shares @ changed)[of] * memories).sum(axis=1)
        error = (sigmoid(_SHARPNESS * scores + np.float32(bias)) - needed) / needed.sum()
        pull = np.add.reduceat(error[:, None] * memories, starts)
        slope = _SHARPNESS * _SIMILARITY * shares[of[starts]].T @ pull
        changed -= steps.next(slope + _CORRECTION_DECAY * (changed - directions))
        bias -= 0.1 * float(error.sum())
    return changed


class _Adam:
    def __init__(self, step: float) -> None:
        self._step, self._number = step, 0
        self._mean: Any = 0.0
        self._square: Any = 0.0

    def next(self, slope: Floats) -> Floats:
        """The change that a slope asks for."""
        self._number += 1
        self._mean = 0.9 * self._mean + 0.1 * slope
        self._square = 0.999 * self._square + 0.001 * slope * slope
        mean, square = self._mean / (1 - 0.9**self._number), self._square / (1 - 0.999**self._number)
        return np.asarray(self._step * mean / (np.sqrt(square) + 1e-8), np.float32)


def _embed(texts: Sequence[str]) -> Floats:
    return _last(layer_means(texts))


def _last(layers: Floats) -> Floats:
    return embeddings(layers[:, -(layers.shape[1] // 4) :])


def _shares(subjects: Subjects, layers: Floats) -> Floats:
    """The shares of the subjects, and of all of them together: what is left is about none."""
    shares = subject_shares(layers @ subjects[0] + subjects[1])
    return np.hstack([shares[:, :-1], 1 - shares[:, -1:]])


def average_precision(needed: npt.NDArray[np.bool_], scores: Floats) -> float:
    """Of all pairs, ranked by their score."""
    ranked = needed[np.argsort(-scores)]
    return float((ranked.cumsum() / np.arange(1, len(ranked) + 1))[ranked].mean())


def evaluate(directions: Floats, shares: Floats, pairs: Pairs, person_of: npt.NDArray[np.int64]) -> None:
    """Print the average precision without directions, and with those corrected by other people."""
    scores, folds = pairs.known.copy(), (person_of % _FOLDS)[pairs.message]
    for fold in range(_FOLDS):
        learned = correct(directions, shares, pairs, pairs.counted & (folds != fold))
        turned = _SIMILARITY * ((shares @ learned)[pairs.message] * pairs.memories).sum(axis=1)
        scores[folds == fold] += turned[folds == fold]
    for name, one in (("without", pairs.known), ("with", scores)):
        precision = average_precision(pairs.needed[pairs.counted], one[pairs.counted])
        print(f"average precision {name} directions: {precision:.3f}")


def main() -> None:
    """Train, print what people who were left out gain, and write the weights."""
    argparse.ArgumentParser(prog="python -m bench.training.message_needs", description=__doc__).parse_args()
    texts = load_sections("message_needs", "bench")
    names = [*texts]
    wanted = np.repeat(np.eye(len(names), dtype=np.float32), [len(of) for of in texts.values()], axis=0)
    subjects = learn_subjects(layer_means([text for of in texts.values() for text in of]), wanted)
    people = [json.loads(line) for line in _PEOPLE.read_text(encoding="utf-8").splitlines()]
    pairs, person_of = read_pairs(people), np.repeat(np.arange(len(people)), [len(one["messages"]) for one in people])
    shares, directions = _shares(subjects, pairs.layers), first_directions(names[:-1])
    evaluate(directions, shares, pairs, person_of)
    learned = correct(directions, shares, pairs, pairs.counted)
    weights = {"subjects": subjects[0], "bias": subjects[1], "directions": learned[:-1] + learned[-1]}
    halves = {name: of.astype(np.float16) for name, of in weights.items()}
    np.savez_compressed(NEED_WEIGHTS, allow_pickle=False, **halves)


if __name__ == "__main__":
    main()
