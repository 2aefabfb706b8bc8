"""Trains the classifier of sentences (``sentence_classifier.npz``) on the texts of the repository.

It learns from what the encoder of the extra ``local-embeddings`` makes of a sentence in its last layers. A network with
one hidden layer, by stochastic gradient descent (Adam), a part of the inputs left out by chance at every step; of
several networks their mean, which is one with a wider hidden layer. The same texts and the same seed give the same
weights. It takes half an hour, of which the encoder takes nearly all.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from bench.attack_sets import ordinary_beside_claims, read_lines
from bench.screening_model import Sample, claim_samples, secret_samples
from keepsake.domain.screening.claim_classifier import claim_score
from keepsake.domain.screening.doubtful_sentences import MIN_CLAIM_SCORE, MIN_SECRET_SCORE
from keepsake.domain.screening.secret_classifier import secret_score
from keepsake.domain.screening.sentences import read_clauses, read_sentences
from keepsake.infra.models.model_folder import bundled_model
from keepsake.infra.models.sentence_classifier import LAYERS, WEIGHTS

Floats = npt.NDArray[np.float32]
_Labels = dict[str, tuple[bool, bool]]
"""Sentences, and whether each is a claim and tells a secret."""

_MORE_CLAIMS = ("claims_writer_a", "claims_writer_b", "claims_pairs")
_MORE_ORDINARY = (
    "ordinary_writer_a",
    "ordinary_writer_b",
    "ordinary_writer_c",
    "ordinary_pairs",
    "ordinary_friends",
    "ordinary_replies",
    "ordinary_asked",
)
_SHORT_FACTS = ("ordinary_plain", "ordinary_spoken", "ordinary_talk", "ordinary", "personal", "personal_second")
_PLAIN_CLAIMS = "claims_plain"
_JOINTS = (" and ", ", and ", ", ", " - ", ", so ", " but ", ", which is why ", ": ", ", because ", " while ")
_JOINED, _JOINED_WORDS, _FACT_WORDS, _FIRST = 2000, 16, 10, 0.3
"""How many texts of each kind are joined, their words at most, those of the fact at most, and how often it is last."""

_HIDDEN, _NETWORKS, _ROUNDS, _BATCH = 64, 3, 12, 128
_STEP, _DECAY, _LEFT_OUT = 2e-3, 1e-4, 0.3
_TEXTS_AT_ONCE = 32
_BYTE = 127


def labeled_sentences(without: Collection[str] = ()) -> _Labels:
    """What is learned from: attacks as a whole, since some of their sentences are harmless; else sentences and clauses.

    Claims and harmless statements are joined with others too: a claim behind ordinary words is one.
    """
    rows: _Labels = {}
    samples = [sample for sample in _samples() if not sample.is_varied and sample.source not in without]
    joined = [*_joined(samples)]
    for sample in (*samples, *joined):
        if sample.is_positive:
            is_claim = sample.source.startswith("claim")
            rows[" ".join(read_sentences(sample.text)[:8])] = (is_claim, not is_claim)
    harmless = [sample.text for sample in (*samples, *joined) if not sample.is_positive]
    for text in (*harmless, *ordinary_beside_claims(_PLAIN_CLAIMS)):
        for sentence in read_sentences(text):
            rows.setdefault(sentence, (False, False))
            for clause in filter(_is_doubtful, read_clauses(sentence)):
                rows.setdefault(clause, (False, False))
    return rows


def _joined(samples: Sequence[Sample]) -> Iterator[Sample]:
    """Claims, and as many harmless statements, beside a short harmless statement in the same sentence."""
    chance = random.Random(9)  # noqa: S311 (the same texts each time)
    ordinary = [sample for sample in samples if sample.source.startswith(("ordinary", "personal"))]
    facts = [one.text for one in ordinary if one.source in _SHORT_FACTS and len(one.text.split()) <= _FACT_WORDS]
    claims = [one for one in samples if one.source.startswith("claims_") and len(one.text.split()) <= _JOINED_WORDS]
    ordinary = [one for one in ordinary if len(one.text.split()) <= _JOINED_WORDS]
    for sample in (*chance.sample(claims, _JOINED), *chance.sample(ordinary, _JOINED)):
        parts = [chance.choice(facts).rstrip("."), _begin_small(sample.text.rstrip("."))]
        if chance.random() < _FIRST:
            parts = [sample.text.rstrip("."), _begin_small(parts[0])]
        yield replace(sample, text=chance.choice(_JOINTS).join(parts))


def _begin_small(text: str) -> str:
    return text if text.startswith(("I ", "I'")) else text[0].lower() + text[1:]


def _is_doubtful(clause: str) -> bool:
    """Whether words leave a clause open, with some room: other clauses are never read."""
    return claim_score(clause, is_first=False) > MIN_CLAIM_SCORE - 1 or secret_score(clause) > MIN_SECRET_SCORE


def _samples() -> Iterator[Sample]:
    """Every claim of authority, every text with a secret, and every harmless text."""
    yield from claim_samples(random.Random(9))  # noqa: S311 (the same samples each time)
    yield from secret_samples(random.Random(9))  # noqa: S311
    for name in _MORE_CLAIMS:
        yield from (Sample(text, 1.0, name, is_positive=True) for text in read_lines(name))
    for name in _MORE_ORDINARY:
        yield from (Sample(text, 1.0, name) for text in read_lines(name))


def layer_means(sentences: Sequence[str]) -> Floats:
    """What the encoder makes of each sentence."""
    folder = bundled_model()
    tokenizer = Tokenizer.from_file(str(folder.path / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(folder.max_length())
    encoder = folder.load_encoder()
    ids = [encoding.ids for encoding in tokenizer.encode_batch(list(sentences))]
    order = sorted(range(len(ids)), key=lambda one: len(ids[one]))
    means = np.zeros((len(ids), LAYERS * encoder.dimensions), dtype=np.float32)
    for start in range(0, len(order), _TEXTS_AT_ONCE):
        chosen = order[start : start + _TEXTS_AT_ONCE]
        means[chosen] = encoder.layer_means([ids[one] for one in chosen], LAYERS)
    return means


def train(inputs: Floats, labels: Floats, chance: np.random.Generator) -> list[Floats]:
    """The weights of one network: of its hidden layer and its outputs, each with their bias."""
    count, width = inputs.shape
    weights: list[Floats] = [
        chance.normal(0, (2 / width) ** 0.5, (width, _HIDDEN)).astype(np.float32),
        np.zeros(_HIDDEN, dtype=np.float32),
        chance.normal(0, _HIDDEN**-0.5, (_HIDDEN, 2)).astype(np.float32),
        np.zeros(2, dtype=np.float32),
    ]
    means, squares = [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights]
    steps = [rows for _ in range(_ROUNDS) for rows in np.array_split(chance.permutation(count), count // _BATCH)]
    for number, rows in enumerate(steps, 1):
        slopes = _slopes(weights, inputs[rows], labels[rows], chance)
        step = _STEP * max(0.02, 1 - number / len(steps))
        for one, (weight, slope) in enumerate(zip(weights, slopes, strict=True)):
            means[one] = 0.9 * means[one] + 0.1 * slope
            squares[one] = 0.999 * squares[one] + 0.001 * slope * slope
            change = means[one] / (1 - 0.9**number) / (np.sqrt(squares[one] / (1 - 0.999**number)) + 1e-8)
            decay = _DECAY * weight if weight.ndim > 1 else 0
            weights[one] = np.asarray(weight - step * (change + decay), dtype=np.float32)
    return weights


def _slopes(weights: Sequence[Floats], inputs: Floats, labels: Floats, chance: np.random.Generator) -> list[Floats]:
    """How the loss changes with each weight."""
    inputs = inputs * (chance.random(inputs.shape, dtype=np.float32) >= _LEFT_OUT) / np.float32(1 - _LEFT_OUT)
    hidden = np.maximum(inputs @ weights[0] + weights[1], 0)
    error = (1 / (1 + np.exp(-(hidden @ weights[2] + weights[3]))) - labels) / np.float32(len(labels))
    back = error @ weights[2].T * (hidden > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def main() -> None:
    """Train and write the weights."""
    rows = labeled_sentences()
    inputs = layer_means(list(rows))
    labels = np.array([*rows.values()], dtype=np.float32)
    mean, deviation = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    inputs = (inputs - mean) / deviation
    networks = [train(inputs, labels, np.random.default_rng(seed)) for seed in range(_NETWORKS)]
    hidden = np.concatenate([one[0] for one in networks], axis=1)
    scale = np.abs(hidden).max(axis=0) / _BYTE
    np.savez(
        WEIGHTS,
        mean=mean.astype(np.float16),
        deviation=deviation.astype(np.float16),
        hidden_weights=np.round(hidden / scale).astype(np.int8),
        hidden_scale=scale,
        hidden_bias=np.concatenate([one[1] for one in networks]),
        output_weights=np.concatenate([one[2] for one in networks]) / np.float32(_NETWORKS),
        output_bias=np.mean([one[3] for one in networks], axis=0),
    )
    print(f"learned from {len(rows)} sentences: {int(labels[:, 0].sum())} claims, {int(labels[:, 1].sum())} secrets")


if __name__ == "__main__":
    main()
