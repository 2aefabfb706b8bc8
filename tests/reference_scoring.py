"""The scores of selection as their formulas say them, memory by memory: what the SQL is measured against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

TYPE_WEIGHTS = {"goal": 1.5, "pattern": 1.5, "relationship": 1.3, "fact": 1.0, "emotion": 0.8}
K1 = 0.9
B = 0.4


def prior(row: Mapping[str, Any], now: datetime) -> float:
    """Type weight times confidence times recency, and a tenth for each use up to ten."""
    since = row["last_referenced_at"] or row["created_at"]
    days: float = min(30.0, max(0.0, (now - since).total_seconds() / 86400))
    recency = 1 / (1 + days)
    weight = TYPE_WEIGHTS[row["memory_type"]]
    used: int = min(row["reference_count"], 10)
    return weight * float(row["confidence_score"]) * recency + 0.1 * used


def bm25(documents: Sequence[Sequence[str]], query: set[str]) -> list[float]:
    """Okapi BM25 with Lucene's never-negative weight of a word."""
    average = max(1.0, sum(map(len, documents)) / len(documents))
    weights = word_weights(documents, query)
    scores = []
    for document in documents:
        counts = Counter(document)
        length = K1 * (1 - B + B * len(document) / average)
        scores.append(sum(weights[w] * counts[w] * (K1 + 1) / (counts[w] + length) for w in query if counts[w]))
    return scores


def word_weights(documents: Sequence[Sequence[str]], query: set[str]) -> dict[str, float]:
    """The rarer a word among the person's memories, the more it weighs."""
    size = len(documents)
    found = Counter(word for document in documents for word in set(document))
    return {word: math.log(1 + (size - found[word] + 0.5) / (found[word] + 0.5)) for word in query}
