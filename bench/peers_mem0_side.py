"""mem0's half of ``bench/peers_mem0.py``: run by the Python that mem0 is installed for, told by one line of JSON.

It imports nothing of Keepsake. Embeddings come over HTTP like the model's answers; the time each takes is noted, so
that a search can also be told without it ("its embedding already computed").
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from statistics import median
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


def measure(call: Callable[[str], Any], texts: Sequence[str], watches: Sequence[Watch]) -> dict[str, Any]:
    """Milliseconds of each call, in all and without what the watches saw; and how many results each gave."""
    whole, own, results = [], [], []
    for text in texts:
        before = sum(watch.seconds for watch in watches)
        began = time.perf_counter()
        answer = call(text)
        took = time.perf_counter() - began
        whole.append(took * 1000)
        own.append((took - sum(watch.seconds for watch in watches) + before) * 1000)
        results.append(len(answer["results"]))
    return {"whole": whole, "own": own, "results": results}


def main() -> None:
    """Do what the line says, and print the figures as JSON."""
    told = json.loads(sys.stdin.readline())
    use = memory(told)
    model, embedder = Watch(), Watch()
    use.llm.generate_response = model.watched(use.llm.generate_response)
    use.embedding_model.embed = embedder.watched(use.embedding_model.embed)
    use.embedding_model.embed_batch = embedder.watched(use.embedding_model.embed_batch)
    user = told["user"]

    def add(text: str, *, infer: bool) -> Any:
        return use.add([{"role": "user", "content": text}], user_id=user, infer=infer)

    def search(text: str) -> Any:
        return use.search(text, filters={"user_id": user}, top_k=10, threshold=0.0)

    figures = {}
    watches = [model, embedder]
    for what, call in (
        ("add_plain", lambda text: add(text, infer=False)),
        ("add_infer", lambda text: add(text, infer=True)),
        ("search", search),
    ):
        if told.get(what):
            measure(call, told[what][:3], watches)  # unnoted: tables and connections are made on first use
            figures[what] = measure(call, told[what], watches)
            figures[what]["p50"] = median(figures[what]["whole"])
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
