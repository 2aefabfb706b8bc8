"""Faults of the answer to texts that were to be embedded: too few, too short, no numbers, or in another form."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.model_server.asked import Asked, Fault
from tests.model_server.completions import Json, usage
from tests.model_server.embedding import DIMENSIONS, embed


def texts_of(asked: Asked) -> list[str]:
    """The texts that are to be embedded."""
    given = asked.body.get("input")
    return [given] if isinstance(given, str) else list(given or ())


def embedded(asked: Asked, fixed: list[float] | None = None) -> Json:
    """A good answer, by the words of each text if there is no ``fixed`` vector for all."""
    texts = texts_of(asked)
    vectors = [fixed or embed(text, asked.body.get("dimensions", DIMENSIONS)) for text in texts]
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    read = usage(read="".join(texts))
    told = {name: read[name] for name in ("prompt_tokens", "total_tokens")}
    return {"object": "list", "data": data, "model": asked.model, "usage": told}


def _changed(name: str, says: str, change: Callable[[Json], Any]) -> Fault:
    """A good answer, changed in place; NaN and infinity are written as JavaScript would not."""

    async def fault(asked: Asked) -> Response:
        body = embedded(asked)
        change(body)
        return Response(json.dumps(body), media_type="application/json")

    fault.__name__, fault.__doc__ = name, says
    return fault


def _last(part: Any) -> Callable[[Json], Any]:
    """Put this in the place of the last vector's first number."""

    def change(body: Json) -> None:
        body["data"][-1]["embedding"][0] = part

    return change


def _all(make: Callable[[list[float]], Any]) -> Callable[[Json], Any]:
    def change(body: Json) -> None:
        for one in body["data"]:
            one["embedding"] = make(one["embedding"])

    return change


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


async def takes_no_marked_text(asked: Asked) -> Response:
    """400 if any text has the word POISON in it; else a good answer."""
    if any("POISON" in text for text in texts_of(asked)):
        return JSONResponse({"error": {"message": "invalid input", "type": "invalid_request_error"}}, 400)
    return JSONResponse(embedded(asked))


async def nan_for_marked_text(asked: Asked) -> Response:
    """NaN for every text that has the word POISON in it."""
    body = embedded(asked)
    for text, one in zip(texts_of(asked), body["data"], strict=True):
        if "POISON" in text:
            one["embedding"][0] = float("nan")
    return Response(json.dumps(body), media_type="application/json")


FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        _changed("short_vectors", "Vectors half as long as before.", _all(lambda vector: vector[: len(vector) // 2])),
        _changed("long_vectors", "Vectors of 3072 numbers.", _all(lambda vector: vector * (3072 // len(vector)))),
        _changed(
            "ragged_vectors", "The last vector is one number short.", lambda body: body["data"][-1]["embedding"].pop()
        ),
        _changed("too_few_vectors", "One vector too few.", lambda body: body["data"].pop()),
        _changed("too_many_vectors", "One vector too many.", lambda body: body["data"].append(body["data"][0])),
        _changed("no_vectors", "No data at all.", lambda body: body.pop("data")),
        _changed("null_vector", "The last vector is null.", lambda body: body["data"][-1].update(embedding=None)),
        _changed("null_number", "A number that is null.", _last(None)),
        _changed("nan_vector", "A number that is NaN.", _last(float("nan"))),
        _changed("infinite_vector", "A number that is infinite.", _last(float("inf"))),
        _changed("overflowing_vector", "A number that no float32 can hold.", _last(1e300)),
        _changed("worded_vector", "A number that is a word.", _last("much")),
        _changed("zero_vectors", "Vectors that point nowhere.", _all(lambda vector: [0.0] * len(vector))),
        _changed(
            "same_places",
            "Every vector at the place of the first.",
            lambda body: [o.update(index=0) for o in body["data"]],
        ),
        _changed("base64_vectors", "Vectors packed as base64, though floats were asked for.", _all(_packed)),
        _changed("torn_base64", "Base64 that ends within a number.", _all(lambda vector: _packed(vector)[:-4])),
        _changed("reversed_vectors", "The vectors in reverse, with their places.", lambda body: body["data"].reverse()),
        _changed("no_usage", "Nothing about tokens.", lambda body: body.pop("usage")),
        takes_no_marked_text,
        nan_for_marked_text,
    )
}
