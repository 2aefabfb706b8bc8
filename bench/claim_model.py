"""Trains the classifier of claims of authority (``claim_weights.txt``) on the texts of the repository.

Logistic regression by stochastic gradient descent with steps that shrink per feature (AdaGrad); the same texts and
the same seed give the same weights. ``--check FILE`` tells how many messages of a LoCoMo file score over the limit.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.attack_texts import locomo_messages, read_lines
from keepsake.domain import screening
from keepsake.domain.english.word_lists import load_lines
from keepsake.domain.screening.claim_classifier import BIAS, claim_features, claim_score

_ROOT = Path(__file__).parent.parent
_WEIGHTS = Path(screening.__path__[0]) / "data" / "claim_weights.txt"
_CLAIMS = (
    "claims",
    "claims_second",
    "claims_third",
    "claims_fourth",
    "claims_fifth",
    "claims_sixth",
    "claims_unseen",
    "claims_languages",
    "claims_roundabout",
    "claims_records",
    "claims_spoken",
    "claims_elsewhere",
)
_ORDINARY = (
    "personal",
    "personal_second",
    "personal_fifth",
    "personal_sixth",
    "ordinary",
    "ordinary_languages",
    "ordinary_roundabout",
    "ordinary_records",
    "ordinary_spoken",
    "ordinary_elsewhere",
    "ordinary_talk",
    "personal_roundabout",
)
_MESSAGES = (
    "turns",
    "fresh_turns",
    "feedback",
    "contradictions",
    "fresh_contradictions",
    "chat/turns",
    "chat/dialogues",
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_SLOT = re.compile(r"\{(\w+)\}")
_ROUNDS, _STEP, _SMALLEST = 15, 0.3, 0.12
_FILLED = {"claims": 45, "ordinary": 45}
_WRITTEN_BY_HAND, _CLAIM_WEIGHT = 3.0, 2.0
_HEADING = "# Weights of the beginnings of words, for scoring a claim of authority; made by bench/claim_model.py.\n"

_Sample = tuple[list[str], int, float]
"""Features, 1 for a claim, and the weight in training."""


def samples(chance: random.Random) -> Iterator[_Sample]:
    """Every text to learn from."""
    for name in _CLAIMS:
        yield from ((claim_features(text), 1, _WRITTEN_BY_HAND * _CLAIM_WEIGHT) for text in read_lines(name))
    for name in _ORDINARY:
        yield from ((claim_features(text), 0, _WRITTEN_BY_HAND) for text in read_lines(name))
    for text in dict.fromkeys(_messages()):
        yield claim_features(text), 0, 1.0
    for kind, text in _filled_templates(chance):
        yield claim_features(text), int(kind == "claims"), 0.5


def _messages() -> Iterator[str]:
    """The sentences of the messages of other evaluations."""
    for name in _MESSAGES:
        for line in (_ROOT / "bench" / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield from _strings(json.loads(line))
    for topics in ("ordinary_topics", "sensitive_topics"):
        lines = (_ROOT / "tests" / "domain" / "screening" / f"{topics}.txt").read_text(encoding="utf-8").splitlines()
        yield from (line for line in lines if not line.startswith("#"))
    yield from (f"Works as {job}" for job in load_lines("jobs"))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (sentence for sentence in _SENTENCE.split(value) if len(sentence.split()) > 2)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _filled_templates(chance: random.Random) -> Iterator[tuple[str, str]]:
    sections: dict[str, list[str]] = {}
    current = ""
    for line in read_lines("claim_templates"):
        if line.startswith("["):
            current = line.strip("[]")
        else:
            sections.setdefault(current, []).append(line)
    for kind, count in _FILLED.items():
        for template in sections[kind]:
            for _ in range(count):
                yield kind, _SLOT.sub(lambda slot: chance.choice(sections[slot[1]]), template)


def train(texts: Sequence[_Sample], chance: random.Random) -> dict[str, float]:
    """The weight of each feature that more than one text has."""
    counts = Counter(feature for features, _, _ in texts for feature in features)
    rows = [([one for one in features if counts[one] > 1], label, weight) for features, label, weight in texts]
    weights, squares = dict.fromkeys(counts, 0.0), dict.fromkeys(counts, 1e-6)
    for _ in range(_ROUNDS):
        chance.shuffle(rows)
        for features, label, weight in rows:
            score = sum(weights[one] for one in features)
            slope = (1 / (1 + math.exp(-max(-30.0, min(30.0, score)))) - label) * weight
            for one in features:
                squares[one] += slope * slope
                weights[one] -= _STEP * (slope + 1e-4 * weights[one]) / math.sqrt(squares[one])
    return {one: weight for one, weight in weights.items() if abs(weight) >= _SMALLEST or one == BIAS}


def main() -> None:
    """Train, write the weights, and check them against messages that were not used."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", help="a LoCoMo file")
    given = options.parse_args()
    chance = random.Random(9)  # noqa: S311 (the same weights each time)
    weights = train([*samples(chance)], chance)
    lines = (f"{feature} = {weight:.2f}\n" for feature, weight in sorted(weights.items()))
    _WEIGHTS.write_text(_HEADING + "".join(lines), encoding="utf-8")
    print(f"{len(weights)} weights")
    if given.check:
        scores = [max(map(claim_score, _SENTENCE.split(text))) for text in locomo_messages(given.check)]
        print({limit: sum(score > limit for score in scores) for limit in (1, 1.5, 1.8, 2, 3)}, "of", len(scores))


if __name__ == "__main__":
    main()
