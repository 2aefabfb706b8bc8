"""The way to embeddings: sound vectors in the order of the texts, or a clear word for why there are none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.circuit_breaker import MAX_TIMEOUTS, PAUSE_SECONDS, CircuitBreaker
from keepsake.infra.models.embedding_reply_parser import TextsRefused, read_vectors
from keepsake.infra.models.endpoint_embedder import EndpointEmbedder
from tests.model_server.embedding import DIMENSIONS, embed
from tests.model_server.running import ModelServer

TEXTS = ["Likes ramen", "Lives in Graz", "Has a dog named Rex"]

WRONG = {
    "short_vectors": ("bad_reply", "wrong_dimension"),
    "ragged_vectors": ("bad_reply", "wrong_dimension"),
    "long_vectors": ("bad_reply", "wrong_dimension"),
    "too_few_vectors": ("bad_reply", "wrong_count"),
    "too_many_vectors": ("bad_reply", "wrong_count"),
    "no_vectors": ("bad_reply", "no_vectors"),
    "null_vector": ("bad_reply", "no_vector"),
    "null_number": ("bad_reply", "no_vector"),
    "worded_vector": ("bad_reply", "no_vector"),
    "torn_base64": ("bad_reply", "no_vector"),
    "nan_vector": ("bad_reply", "not_finite"),
    "infinite_vector": ("bad_reply", "not_finite"),
    "overflowing_vector": ("bad_reply", "not_finite"),
    "zero_vectors": ("bad_reply", "all_zero"),
    "same_places": ("bad_reply", "wrong_places"),
    "html": ("bad_reply", "not_json"),
    "empty_body": ("bad_reply", "not_json"),
    "error_in_200": ("bad_reply", "no_vectors"),
    "error_500": ("busy", "500"),
    "busy_for_seconds": ("busy", "429"),
    "reset": ("busy", "broken_off"),
    "hang": ("busy", "deadline"),
    "trickle": ("busy", "deadline"),
    "unauthorized": ("locked_out", "401"),
    "quota": ("locked_out", "quota"),
    "no_such_model": ("locked_out", "404"),
}


@pytest.fixture
async def embedder(model: ModelServer) -> AsyncIterator[EndpointEmbedder]:
    built = EndpointEmbedder(model="scripted", base_url=model.url, api_key="any", dimensions=DIMENSIONS)
    yield built
    await built.close()


def soon(seconds: float = 5.0) -> float:
    return asyncio.get_running_loop().time() + seconds


async def test_a_message__has_the_vector_of_its_text(embedder: EndpointEmbedder) -> None:
    """Nothing was learned for the models of others."""
    (of_message,) = (await embedder.embed_message(TEXTS[0], deadline=soon())).vectors
    assert list(of_message) == pytest.approx(embed(TEXTS[0]), rel=1e-6)


@pytest.mark.parametrize("form", [None, "base64_vectors", "reversed_vectors", "no_usage"])
async def test_vectors__in_the_order_of_the_texts(
    embedder: EndpointEmbedder, model: ModelServer, form: str | None
) -> None:
    """As floats or packed, in order or with their places; one request for all."""
    model.script.vectors_always(form)
    got = await embedder.embed(TEXTS, deadline=soon())
    assert [list(vector) for vector in got.vectors] == [pytest.approx(embed(text), rel=1e-6) for text in TEXTS]
    assert (got.tokens is None) == (form == "no_usage")
    (asked,) = model.script.embeddings
    assert asked == {
        "model": "scripted", "input": TEXTS, "encoding_format": "float", "dimensions": DIMENSIONS,
    }  # fmt: skip


@pytest.mark.parametrize("fault", sorted(WRONG))
async def test_vectors__that_are_not_sound_are_none(embedder: EndpointEmbedder, model: ModelServer, fault: str) -> None:
    model.script.vectors_always(fault)
    with pytest.raises(ModelUnavailable) as caught:
        await embedder.embed(TEXTS, deadline=soon(0.5 if fault in {"hang", "trickle"} else 5.0))
    assert (caught.value.kind, caught.value.why) == WRONG[fault]


async def test_vectors__longer_than_a_row_can_hold(model: ModelServer) -> None:
    embedder = EndpointEmbedder(model="scripted", base_url=model.url)
    model.script.vectors_always("long_vectors")
    with pytest.raises(ModelUnavailable, match="too_many_dimensions"):
        await embedder.embed(TEXTS, deadline=soon())
    await embedder.close()


async def test_texts__refused(embedder: EndpointEmbedder, model: ModelServer) -> None:
    model.script.vectors_always("takes_no_marked_text")
    with pytest.raises(TextsRefused):
        await embedder.embed([*TEXTS, "POISON"], deadline=soon())
    assert (await embedder.embed(TEXTS, deadline=soon())).dimensions == DIMENSIONS


async def test_endpoint__down(embedder: EndpointEmbedder, model: ModelServer) -> None:
    model.down()
    with pytest.raises(ModelUnavailable, match="refused"):
        await embedder.embed(TEXTS, deadline=soon())


def test_breaker__opens_at_once_or_after_misses_and_is_tried_by_one() -> None:
    now = 0.0
    breaker = CircuitBreaker(lambda: now)
    for _ in range(MAX_TIMEOUTS - 1):
        breaker.record_timeout()
    breaker.record_success()  # in between one came in time
    for _ in range(MAX_TIMEOUTS):
        assert breaker.allow()
        breaker.record_timeout()
    assert not breaker.allow()
    now = PAUSE_SECONDS + 1
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.record_timeout()
    assert not breaker.allow()
    now = 2 * PAUSE_SECONDS + 2
    assert breaker.allow()
    breaker.record_success()
    assert [breaker.allow(), breaker.allow()] == [True, True]
    breaker.record_failure(5)
    assert not breaker.allow()
    now += 5
    assert breaker.allow()


@pytest.mark.parametrize("name", ["prompt_tokens", "total_tokens"])
def test_tokens__are_read_under_either_name(name: str) -> None:
    """Some endpoints report the total alone."""
    body = json.dumps({"data": [{"index": 0, "embedding": [1.0, 2.0]}], "usage": {name: 7}})
    assert read_vectors(body.encode(), count=1, dimensions=None).tokens == 7
