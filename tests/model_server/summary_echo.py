"""A model of summaries that leaves nothing out: every field repeats every text that it was shown, and cites it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from starlette.responses import Response

from tests.model_server.asked import Asked

_MAX_ITEMS = 40


async def echo(asked: Asked) -> Response:
    """The reply: a sentence for each text in a field of text, an item for each in a list."""
    content = asked.body["messages"][1]["content"]
    data = json.loads(content.split("\n")[1])
    sentences = [f"{one['text'].rstrip('.')} [{one['n']}]." for one in _texts(data)]
    schema = asked.body["response_format"]["json_schema"]["schema"]
    reply = {
        name: " ".join(sentences) if part["type"] == "string" else [one[:-1] for one in sentences[:_MAX_ITEMS]]
        for name, part in schema["properties"].items()
    }
    return asked.answers(json.dumps(reply))


def _texts(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from data.get("texts", ())
    for person in data.get("people", ()):
        yield from person["texts"]
