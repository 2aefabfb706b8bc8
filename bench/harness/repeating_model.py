"""What a scripted model writes of a summary: it repeats the texts that it is shown, each with its number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_WRITTEN = {
    "summary": 560,
    "one_liner": 150,
    "tone": 60,
    "day_summary": 200,
    "emotional_summary": 350,
    "cognitive_summary": 1000,
}
"""Characters that a capable model writes in each field of text; 400 in another."""
_SHORT = {"day": 200, "history": 350}
"""Those of the shorter levels."""
_ITEMS, _ITEM = 2, 40
"""Items of a list that it writes, and the characters of each."""


def data_of(messages: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
    """The data of a request for a summary."""
    data: Mapping[str, Any] = json.loads(messages[1]["content"].split("\n")[1])
    return data


def repeat_texts(data: Mapping[str, Any], schema: Mapping[str, Any], task: str = "") -> dict[str, Any]:
    """A reply of as many characters as a capable model writes; its review finds nothing wrong."""
    if "sentences" in data:
        return {name: [] for name in schema["properties"]}
    own, of_day = (
        [one for one in data["texts"] if one["n"] in data.get(name, [one["n"]])] for name in ("session", "day")
    )
    written: dict[str, Any] = {}
    for name, part in schema["properties"].items():
        texts = data["texts"] if name == "summary" else of_day if name.startswith("day_") else own
        if part["type"] == "string":
            written[name] = " ".join(_sentences(texts, _SHORT.get(task) or _WRITTEN.get(name, 400)))
        else:
            written[name] = [f"{one['text'][:_ITEM].rpartition(' ')[0]} [{one['n']}]" for one in texts[-_ITEMS:]]
    return written


def _sentences(texts: Sequence[Mapping[str, Any]], limit: int) -> Iterator[str]:
    """The texts, the newest first, each with its number, until they have so many characters."""
    for one in reversed(texts):
        yield f"{one['text'][:limit].rstrip('.')} [{one['n']}]."
        limit -= len(one["text"])
        if limit <= 0:
            return
