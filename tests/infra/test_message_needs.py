"""The vector of a message finds the memories that it needs, where that was learned for the model."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from keepsake.infra.models.embedding_reply_parser import Vector
from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.models.model_folder import bundled_model, model_in

NEEDS = [
    ("What should I cook tonight?", "Allergic to peanuts", "Collects postcards of bridges"),
    ("What could I give my sister for her birthday?", "Sister Ngozi lives in Lagos", "Likes rain at night"),
    ("Can you find me a doctor nearby?", "Lives in Aberdeen", "Plays chess with a neighbor"),
]
"""A message, what it needs, and what it does not."""


@pytest.fixture
async def embedder() -> AsyncIterator[LocalEmbedder]:
    built = LocalEmbedder(bundled_model())
    yield built
    await built.close()


def deadline() -> float:
    return asyncio.get_running_loop().time() + 60


async def of_message(embedder: LocalEmbedder, text: str) -> Vector[float]:
    return (await embedder.embed_message(text, deadline=deadline())).vectors[0]


def similarity(a: Vector[float], b: Vector[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("message, needed, other", NEEDS)
async def test_a_message__comes_closer_to_what_it_needs_than_to_the_rest(
    embedder: LocalEmbedder, message: str, needed: str, other: str
) -> None:
    plain, to_needed, to_other = (await embedder.embed([message, needed, other], deadline=deadline())).vectors
    turned = await of_message(embedder, message)
    gained, gained_by_other = (similarity(turned, one) - similarity(plain, one) for one in (to_needed, to_other))
    assert gained > max(0.02, gained_by_other)
    assert similarity(turned, to_needed) > similarity(turned, to_other)


async def test_the_vector_of_a_message__is_of_length_one_and_still_about_its_words(embedder: LocalEmbedder) -> None:
    (plain,) = (await embedder.embed([NEEDS[0][0]], deadline=deadline())).vectors
    turned = await of_message(embedder, NEEDS[0][0])
    assert similarity(turned, turned) == pytest.approx(1, abs=1e-5)
    assert 0.7 < similarity(turned, plain) < 0.999


async def test_another_model__is_asked_for_the_vector_of_the_text(tmp_path: Path) -> None:
    """What was learned for one space of vectors says nothing about another."""
    embedder = LocalEmbedder(model_in(Path(shutil.copytree(bundled_model().path, tmp_path / "my-model"))))
    (plain,) = (await embedder.embed([NEEDS[0][0]], deadline=deadline())).vectors
    turned = await of_message(embedder, NEEDS[0][0])
    await embedder.close()
    assert list(turned) == list(plain)
