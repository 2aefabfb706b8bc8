"""Prometheus metrics of this process and of the database; no label names a person or contains text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from keepsake.infra.logs import log

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""How Prometheus wants its text announced."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30)
_CONTEXTS_PER_LINE = 100
"""How many contexts one line of the log counts."""
_TOKENS = (0, 50, 100, 200, 300, 400, 500, 600, 800, 1000, 1200)


@dataclass(frozen=True, slots=True)
class Sample:
    """A number read from the database: name of the gauge, value of its label, and the number."""

    name: str
    kind: str
    value: float


class Metrics:
    """The metrics of one process, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.requests = Counter("keepsake_requests_total", "Requests answered.", ("function", "status"), registry=own)
        self.request_seconds = Histogram(
            "keepsake_request_seconds", "Time to answer a request.", ("function",), buckets=_SECONDS, registry=own
        )
        self.extractions = Counter(
            "keepsake_extractions_total", "Turns looked at, by outcome.", ("status", "reason"), registry=own
        )
        self.dropped = Counter(
            "keepsake_dropped_total", "Proposed memories not kept, by reason.", ("reason",), registry=own
        )
        self.commands = Counter(
            "keepsake_commands_total", "Chat commands carried out, by outcome.", ("kind", "status"), registry=own
        )
        self.injections = Counter("keepsake_injections_total", "Contexts made.", ("variant", "reason"), registry=own)
        self.injection_tokens = Histogram(
            "keepsake_injection_tokens", "Tokens in a context.", buckets=_TOKENS, registry=own
        )
        self.injection_memories = Histogram(
            "keepsake_injection_memories", "Memories in a context.", buckets=tuple(range(11)), registry=own
        )

        self.model_calls = Counter(
            "keepsake_model_calls_total", "Questions put to the language model, by outcome.", ("outcome",), registry=own
        )
        self.model_tokens = Counter(
            "keepsake_model_tokens_total", "Tokens that questions and answers had.", ("kind",), registry=own
        )
        self.model_seconds = Histogram(
            "keepsake_model_seconds", "Time the language model took.", buckets=_SECONDS, registry=own
        )
        self.model_repairs = Counter(
            "keepsake_model_repairs_total",
            "Replies that were unwrapped or repaired before they could be read.",
            ("model", "kind"),
            registry=own,
        )
        self.model_fallbacks = Counter(
            "keepsake_model_passed_over_total", "Turns that rules read though there is a model.", ("why",), registry=own
        )

        self.embedding_calls = Counter(
            "keepsake_embedding_calls_total", "Requests for vectors, by outcome.", ("purpose", "outcome"), registry=own
        )
        self.vector_outcomes = Counter(
            "keepsake_contexts_total", "Contexts by whether they used vectors.", ("vector",), registry=own
        )
        self._recent_fallbacks: list[bool] = []
        self.embedding_tokens = Counter(
            "keepsake_embedding_tokens_total", "Tokens that were embedded.", ("purpose",), registry=own
        )
        self.embedding_seconds = Histogram(
            "keepsake_embedding_seconds", "Time to get vectors.", ("purpose",), buckets=_SECONDS, registry=own
        )

    def note_vector_outcome(self, outcome: str) -> None:
        """Count a context by whether it used the vector of its message; log the share that did not, every so often."""
        self.vector_outcomes.labels(outcome).inc()
        self._recent_fallbacks.append(outcome != "used")
        if len(self._recent_fallbacks) == _CONTEXTS_PER_LINE:
            share = sum(self._recent_fallbacks) / _CONTEXTS_PER_LINE
            log.info("contexts that fell back to words", share=share, of=_CONTEXTS_PER_LINE)
            self._recent_fallbacks.clear()

    def render(self, stored: Iterable[Sample] = ()) -> bytes:
        """Render the metrics of this process, then those ``stored`` in the database, as Prometheus text."""
        database = CollectorRegistry()
        gauges: dict[str, Gauge] = {}
        for sample in stored:
            if sample.name not in gauges:
                gauges[sample.name] = Gauge(sample.name, "Read from the database.", ("kind",), registry=database)
            gauges[sample.name].labels(sample.kind).set(sample.value)
        return generate_latest(self.registry) + generate_latest(database)
