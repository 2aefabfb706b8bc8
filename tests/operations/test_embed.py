"""`keepsake embed` works off what has no vector, and the doctor tries the endpoint and the database for vectors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from keepsake.domain.context.similarity_baseline import UNRELATED_TEXTS
from keepsake.infra.settings import Settings
from keepsake.operations.check_embedding_setup import NO_PGVECTOR, check_pgvector, check_vectors
from tests.fixtures.db import Clone
from tests.fixtures.model import with_vectors
from tests.fixtures.people import People
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY
from tests.model_server.running import ModelServer


def embed(db: Clone, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command against a database, as an operator does from a shell."""
    given = {"DATABASE_URL": db.api_url, "SUPABASE_JWT_SECRET": JWT_SECRET, "SUPABASE_SECRET_KEY": SECRET_KEY}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return subprocess.run(
        [sys.executable, "-m", "keepsake.cli", "embed", *arguments],
        env=clean | given | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def calls_for_memories(model: ModelServer) -> int:
    """The requests beside those that measure the model."""
    return sum(UNRELATED_TEXTS[0] not in body["input"] for body in model.script.embeddings)


def test_embed__until_nothing_is_left_and_again(db: Clone, people: People, model: ModelServer) -> None:
    ada = people.person("Ada")
    for number in range(30):
        people.memory(ada, f"Likes dish {number}")
    named = {"OPENAI_BASE_URL": model.url, "OPENAI_EMBEDDING_MODEL": "scripted", "EMBEDDING_BATCH_SIZE": "10"}
    told = named | {"EMBEDDING": "endpoint"}
    first = embed(db, **told)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[0] == "0 embedded with scripted, 31 to go"
    assert first.stdout.splitlines()[-1] == "31 embedded with scripted"
    assert calls_for_memories(model) == 4
    assert embed(db, "--again", **told).stdout.splitlines()[-1] == "31 embedded with scripted"
    assert calls_for_memories(model) == 8
    off = embed(db)
    assert off.returncode == 1
    assert off.stderr.startswith("keepsake: Embeddings are off.")


def test_doctor__tries_the_endpoint_and_the_database(db: Clone, settings: Settings, model: ModelServer) -> None:
    """It says how long the vectors are, or in a word what is wrong, and what to do."""
    assert not check_vectors(settings).failed
    on = with_vectors(settings, model)
    assert check_pgvector(on) is None
    assert "vectors of 256 numbers" in check_vectors(on).result
    db.run("insert into keepsake.embedding_models values ('scripted', 255)")
    assert "keepsake embed --again" in check_vectors(on).remedy
    for fault, word in {"unauthorized": "401", "bad_request": "refuses every text", "nan_vector": "not_finite"}.items():
        model.script.vectors_always(fault)
        finding = check_vectors(on)
        assert finding.failed
        assert word in finding.result
    model.script.vectors_always("long_vectors")
    assert "OPENAI_EMBEDDING_DIMENSIONS" in check_vectors(on).remedy
    db.run("drop extension vector cascade")
    db.run("drop table keepsake.memory_vectors cascade")
    assert check_vectors(on).remedy == NO_PGVECTOR


def test_doctor__says_that_vectors_of_another_model_are_kept(
    db: Clone, people: People, settings: Settings, model: ModelServer
) -> None:
    """Two processes with different models would make each other's vectors anew without end."""
    people.person("Ada")
    named = {"EMBEDDING": "endpoint", "OPENAI_BASE_URL": model.url}
    assert embed(db, OPENAI_EMBEDDING_MODEL="theirs", **named).returncode == 0
    finding = check_vectors(with_vectors(settings, model))
    assert finding.result.endswith("some that are kept are of theirs")
    assert "OPENAI_EMBEDDING_MODEL" in finding.remedy
    assert not finding.failed
    assert embed(db, OPENAI_EMBEDDING_MODEL="scripted", **named).returncode == 0
    assert check_vectors(with_vectors(settings, model)).remedy == ""


@pytest.mark.parametrize(
    "given, endpoint",
    [
        ({"openai_api_key": "k"}, (None, "k")),
        ({"openai_api_key": "k", "openai_base_url": "http://a/v1"}, ("http://a/v1", "k")),
        ({"openai_api_key": "k", "openai_embedding_base_url": "http://b/v1"}, ("http://b/v1", None)),
        ({"openai_base_url": "http://a/v1", "openai_embedding_api_key": "e"}, ("http://a/v1", "e")),
    ],
)
def test_key__goes_to_no_endpoint_that_it_is_not_for(
    given: dict[str, str], endpoint: tuple[str | None, str | None]
) -> None:
    settings = Settings.load(database_url="postgresql://h/d", supabase_jwt_secret="s" * 32, **given)
    url, key = settings.embedding_endpoint
    assert (url, key.get_secret_value() if key else None) == endpoint
