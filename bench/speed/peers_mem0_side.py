"""mem0's half of ``bench/speed/peers_mem0.py``: run by the Python that mem0 is installed for, told by one line of JSON.

It imports nothing of Keepsake. Embeddings come over HTTP like the model's answers; the time each takes is noted, so
that a search can also be told without it ("its embedding already computed").
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


class Watch:
    """Wraps calls, and adds up what they take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, timed."""

        def timed(*given: Any, **more: Any) -> Any:
            began = time.perf_counter()
            try:
                return call(*given, **more)
            finally:
                self.seconds += time.perf_counter() - began

        return timed


def memory(told: dict[str, Any]) -> Any:
    """mem0 as its documentation sets it up for pgvector, with its defaults."""
    key = {"api_key": "none", "openai_base_url": told["model_url"]}
    config = {
        "llm": {"provider": "openai", "config": {"model": "scripted", **key}},
        "embedder": {
            "provider": "openai",
            "config": {"model": "scripted", "embedding_dims": told["dimensions"], **key},
        },
        "vector_store": {
            "provider": "pgvector",
            "config": {
                "connection_string": told["database_url"],
                "collection_name": told["table"],
                "embedding_model_dims": told["dimensions"],
            },
        },
        "history_db_path": told["history"],
    }
    return importlib.import_module("mem0").Memory.from_config(config)


def count_round_trips() -> list[int]:
    """A list whose only member is how often a connection has waited for its server."""
    psycopg = importlib.import_module("psycopg")
    trips, wait = [0], psycopg.Connection.wait

    def counted(connection: Any, *given: Any, **more: Any) -> Any:
        trips[0] += 1
        return wait(connection, *given, **more)

    psycopg.Connection.wait = counted
    return trips


def measure(
    call: Callable[[str], Any], texts: Sequence[str], watches: Sequence[Watch], trips: Sequence[int], warm_up: int
) -> dict[str, Any]:
    """Of each call but the first: milliseconds in all, of CPU, and of what the watches saw; round trips and results."""
    noted: dict[str, Any] = {"whole": [], "model": [], "cpu": [], "trips": [], "results": []}
    for number, text in enumerate(texts):
        before, trips_before = sum(watch.seconds for watch in watches), trips[0]
        cpu, began = time.process_time(), time.perf_counter()
        answer = call(text)
        took, cpu_took = time.perf_counter() - began, time.process_time() - cpu
        if number >= warm_up:  # tables and connections are made on first use
            noted["whole"].append(took * 1000)
            noted["model"].append((sum(watch.seconds for watch in watches) - before) * 1000)
            noted["cpu"].append(cpu_took * 1000)
            noted["trips"].append(trips[0] - trips_before)
            noted["results"].append(len(answer["results"]))
    return noted


def main() -> None:
    """Do what the line says, and print the figures as JSON."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    told = json.loads(sys.stdin.readline())
    resources = memory(told)
    model, embedder = Watch(), Watch()
    resources.llm.generate_response = model.watched(resources.llm.generate_response)
    resources.embedding_model.embed = embedder.watched(resources.embedding_model.embed)
    resources.embedding_model.embed_batch = embedder.watched(resources.embedding_model.embed_batch)
    user = told["user"]

    def add(text: str, *, infer: bool) -> Any:
        return resources.add([{"role": "user", "content": text}], user_id=user, infer=infer)

    def search(text: str) -> Any:
        return resources.search(text, filters={"user_id": user}, top_k=10, threshold=0.0)

    trips = count_round_trips()
    calls = {
        "add_plain": lambda text: add(text, infer=False),
        "add_infer": lambda text: add(text, infer=True),
        "search": search,
    }
    figures = {
        what: measure(call, told[what], [model, embedder], trips, told["warm_up"])
        for what, call in calls.items()
        if told.get(what)
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
