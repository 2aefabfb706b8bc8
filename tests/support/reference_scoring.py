"""The scores of selection as their formulas say them, memory by memory: what the SQL is measured against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import fmean, pstdev
from typing import Any

TYPE_WEIGHTS = {"goal": 1.5, "pattern": 1.5, "relationship": 1.3, "fact": 1.0, "emotion": 0.8}
RELATED = 0.55
WORDS = 2.0


def prior(row: Mapping[str, Any], now: datetime) -> float:
    """Type weight times confidence times recency, and a tenth for each use up to ten."""
    since = row["last_referenced_at"] or row["created_at"]
    days: float = min(30.0, max(0.0, (now - since).total_seconds() / 86400))
    recency = 1 / (1 + days)
    weight = TYPE_WEIGHTS[row["memory_type"]]
    used: int = min(row["reference_count"], 10)
    return weight * float(row["confidence_score"]) * recency + 0.1 * used


def word_weights(documents: Sequence[set[str]], query: set[str], related: set[str]) -> dict[str, float]:
    """The rarer a word among the person's memories, the more it weighs; 1.0 where no other memory has it."""
    size = len(documents)
    found = Counter(word for document in documents for word in document)
    rarest = math.log(1 + (size - 0.5) / 1.5)
    weights = {w: math.log(1 + (size - found[w] + 0.5) / (found[w] + 0.5)) / rarest for w in query | related}
    return {word: weight * (1 if word in query else RELATED) for word, weight in weights.items()}


def lexical(document: set[str], weights: Mapping[str, float]) -> float:
    """BM25 with k1 = 0: each word counts once, at whatever length."""
    return sum(weight for word, weight in weights.items() if word in document)


def coverage(document: set[str], weights: Mapping[str, float], query: set[str]) -> float:
    """What is shared, as a share of all that was asked outright."""
    return lexical(document, weights) / sum(weights[word] for word in query)


def deviations(similarities: Mapping[str, float]) -> dict[str, float]:
    """By how many standard deviations each is above the mean."""
    mean, deviation = fmean(similarities.values()), pstdev(similarities.values())
    return {name: (similarity - mean) / deviation for name, similarity in similarities.items()}
