"""Trains the classifier of sentences (``sentence_classifier.npz``) on the texts of the repository.

It learns from what the encoder of the extra ``local-embeddings`` makes of a sentence in its last layers
(``bench/training/layer_training.py``). The same texts give the same weights. It takes half an hour, of which the
encoder takes nearly all.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bench.attack.text_sets import ordinary_beside_claims, read_lines
from bench.training.layer_training import Examples, layer_means, learn, sigmoid, write
from bench.training.screening_model import Sample, claim_samples, secret_samples
from keepsake.domain.screening.instructions import MIN_CLAIM_SCORE, MIN_SECRET_SCORE
from keepsake.domain.screening.readable_text import read_clauses, read_sentences
from keepsake.domain.screening.sentence_scores import claim_score, secret_score
from keepsake.infra.models.sentence_classifier import ATTACK_WEIGHTS, SentenceScores

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
    return claim_score(clause) > MIN_CLAIM_SCORE - 1 or secret_score(clause) > MIN_SECRET_SCORE


def _samples() -> Iterator[Sample]:
    """Every claim of authority, every text with a secret, and every harmless text."""
    yield from claim_samples(random.Random(9))  # noqa: S311 (the same samples each time)
    yield from secret_samples(random.Random(9))  # noqa: S311
    for name in _MORE_CLAIMS:
        yield from (Sample(text, 1.0, name, is_positive=True) for text in read_lines(name))
    for name in _MORE_ORDINARY:
        yield from (Sample(text, 1.0, name) for text in read_lines(name))


def main() -> None:
    """Train and write the weights."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = labeled_sentences()
    labels = np.array([*rows.values()], dtype=np.float32)
    examples = Examples(layer_means(list(rows)), labels, np.ones(len(labels), dtype=np.float32))
    write(ATTACK_WEIGHTS, learn(examples, sigmoid, SentenceScores._fields))
    print(f"learned from {len(rows)} sentences: {int(labels[:, 0].sum())} claims, {int(labels[:, 1].sum())} secrets")


if __name__ == "__main__":
    main()
