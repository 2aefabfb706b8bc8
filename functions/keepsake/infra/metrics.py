"""Prometheus metrics of this process and of the database; no label names a person or contains text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

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
        self.registry = CollectorRegistry()
        counter, histogram = partial(Counter, registry=self.registry), partial(Histogram, registry=self.registry)
        self.requests = counter("keepsake_requests_total", "Requests answered.", ("function", "status"))
        self.request_seconds = histogram(
            "keepsake_request_seconds", "Time to answer a request.", ("function",), buckets=_SECONDS
        )
        self.extractions = counter("keepsake_extractions_total", "Turns looked at, by outcome.", ("status", "reason"))
        self.dropped = counter("keepsake_dropped_total", "Proposed memories not kept, by reason.", ("reason",))
        self.commands = counter("keepsake_commands_total", "Chat commands carried out, by outcome.", ("kind", "status"))
        self.injections = counter("keepsake_injections_total", "Contexts made.", ("variant", "reason"))
        self.injection_tokens = histogram("keepsake_injection_tokens", "Tokens in a context.", buckets=_TOKENS)
        self.injection_memories = histogram(
            "keepsake_injection_memories", "Memories in a context.", buckets=tuple(range(11))
        )

        self.model_calls = counter(
            "keepsake_model_calls_total", "Questions put to the language model, by outcome.", ("outcome",)
        )
        self.model_tokens = counter("keepsake_model_tokens_total", "Tokens that questions and answers had.", ("kind",))
        self.model_seconds = histogram("keepsake_model_seconds", "Time the language model took.", buckets=_SECONDS)
        self.model_repairs = counter("keepsake_model_repairs_total", "Replies repaired.", ("model", "kind"))
        self.model_fallbacks = counter(
            "keepsake_model_passed_over_total", "Turns that rules read though there is a model.", ("why",)
        )

        self.embedding_calls = counter(
            "keepsake_embedding_calls_total", "Requests for vectors, by outcome.", ("purpose", "outcome")
        )
        self.vector_outcomes = counter("keepsake_contexts_total", "Contexts by whether they used vectors.", ("vector",))
        self._recent_fallbacks: list[bool] = []
        self.embedding_tokens = counter("keepsake_embedding_tokens_total", "Tokens that were embedded.", ("purpose",))
        self.embedding_seconds = histogram(
            "keepsake_embedding_seconds", "Time to get vectors.", ("purpose",), buckets=_SECONDS
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
