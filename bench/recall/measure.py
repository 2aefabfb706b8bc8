"""Measures what `inject-memory` finds: data imported as memories, questions asked, and the gold memories looked for.

Everything is the real thing: the import, the background embedding where an endpoint is given, and the use case that
every message goes through, asked as a later message of a conversation. Only its limit of tokens is lifted, so that long
memories do not push each other out of the block. Memories longer than 500 characters are cut at a word.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, stdev
from uuid import UUID, uuid4

import psycopg

from bench.harness.stage import MEMORIES, Stage, stage
from bench.harness.timing import show
from keepsake.domain.context import limits
from keepsake.domain.memory import MAX_TEXT_LENGTH
from keepsake.domain.text import truncate_words
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.usecases.embed_memories import embed_memories
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory

MODEL = "all-MiniLM-L6-v2"
_ENOUGH = 100_000


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the memories that answer it, by their place in the list."""

    text: str
    gold: frozenset[int]
    category: str
    ignored: frozenset[int] = frozenset()
    """Memories that count neither for nor against."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A person: what is remembered, in the order of telling, and what is asked."""

    memories: Sequence[str]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Recalls:
    """What was found of the gold, question by question: among the first, five and ten."""

    at: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    hits: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    by_category: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    given: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    """Of what was given, the gold; nothing where nothing was given and nothing expected."""

    def note(self, question: Question, given: Sequence[int]) -> None:
        """Count one question's answer."""
        found = [place for place in given if place not in question.ignored]
        self.given.append(len(found))
        if found or question.gold:
            self.precision.append(len(question.gold & set(found)) / max(1, len(found)))
        if not question.gold:
            return
        for most in (1, 5, 10):
            share = len(question.gold & set(found[:most])) / len(question.gold)
            self.at[most].append(share)
            self.hits[most].append(float(share > 0))
        self.by_category[question.category].append(self.at[10][-1])


async def run(
    subjects: Sequence[Subject], *, among: int, url: str | None, model: str, folder: Path | None, local: bool = False
) -> None:
    """Import everything, then ask by words alone, and with vectors from an endpoint or made here."""
    limits.MAX_TOKENS = limits.MAX_TOKENS_FIRST_MESSAGE = _ENOUGH
    with stage(max(among, MEMORIES), folder=folder) as on:
        people = [sign_up(on) for _ in subjects]
        await _import(on, subjects, people)
        where = f"among {among:,} memories of others" if among else "alone"
        _report("words alone", await _ask(on, subjects, people), where)
        if url:
            vectors = {
                "embedding": "endpoint",
                "openai_embedding_model": model,
                "openai_embedding_base_url": url,
                "embedding_deadline_ms": 10_000,
            }
            await _embed(on, **vectors)
            _report(f"words and {model}", await _ask(on, subjects, people, **vectors), where)
        if local:
            await _embed(on, embedding="local", embedding_batch_seconds=300)
            found = await _ask(on, subjects, people, embedding="local", embedding_deadline_ms=10_000)
            _report("words and local embeddings", found, where)


def _resources(on: Stage, **more: object) -> Resources:
    settings = on.settings(**{"embedding": "off", **more})
    return Resources.build(settings.model_copy(update={"token_budget": _ENOUGH, "first_token_budget": _ENOUGH}))


def sign_up(on: Stage) -> tuple[Person, UUID]:
    """A new person with a conversation that an answer has already been given in."""
    user, profile, chat = uuid4(), uuid4(), uuid4()
    with psycopg.connect(on.superuser_url) as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute("insert into auth.users (id) values (%s)", (user,))
        connection.execute(
            "insert into public.user_profile_list (id, user_id, is_primary) values (%s, %s, true)", (profile, user)
        )
        who = (chat, user, profile)
        connection.execute("insert into public.conversations (id, user_id, profile_id) values (%s, %s, %s)", who)
        connection.execute(
            "insert into public.conversations_participants (conversation_id, user_id, profile_id, remember_since)"
            " values (%s, %s, %s, now())",
            who,
        )
        connection.execute(
            "insert into public.messages (conversation_id, role, content) values (%s, 'assistant', 'Hello!')", (chat,)
        )
    return Person(user), chat


async def _import(on: Stage, subjects: Sequence[Subject], people: Sequence[tuple[Person, UUID]]) -> None:
    """Bring every memory in through the import, and say what it refused."""
    resources = _resources(on)
    try:
        for number, (subject, (person, _)) in enumerate(zip(subjects, people, strict=True), start=1):
            rows = [{"memory_text": truncate_words(text, MAX_TEXT_LENGTH)} for text in subject.memories]
            report = await import_memories(resources, person, json.dumps(rows).encode())
            reasons = sorted({problem.reason for problem in report.problems})
            refused = f", {report.refused} refused: {', '.join(reasons)}" if report.refused else ""
            print(
                f"person {number} of {len(subjects)}: {report.imported} of {report.rows} imported{refused}", flush=True
            )
    finally:
        await resources.close()
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("vacuum (analyze)")


async def _embed(on: Stage, **settings: object) -> None:
    """Embed in the background what was imported, with these settings."""
    resources = _resources(on, **settings)
    try:
        await embed_imported(on, resources)
    finally:
        await resources.close()


async def embed_imported(on: Stage, resources: Resources) -> None:
    """Embed what was imported; what is there of others needs no vectors to be passed over."""
    with psycopg.connect(on.superuser_url) as connection:
        connection.execute(
            "delete from keepsake.memories_to_embed where user_id = any(%s)", ([p.user_id for p in on.people],)
        )
    embedded = 0
    while (done := await embed_memories(resources)).embedded:
        embedded += done.embedded
        print(f"{embedded} memories embedded", flush=True)
    print(f"embedding ended: {done}")


async def _ask(
    on: Stage, subjects: Sequence[Subject], people: Sequence[tuple[Person, UUID]], **settings: object
) -> Recalls:
    """Ask every question of its person."""
    resources, recalls = _resources(on, **settings), Recalls()
    try:
        for number, (subject, (person, chat)) in enumerate(zip(subjects, people, strict=True), start=1):
            places = {
                truncate_words(text, MAX_TEXT_LENGTH).strip(): at
                for at, text in reversed(list(enumerate(subject.memories)))
            }
            for question in subject.questions:
                wish = ContextRequest(chat, user_id=person.user_id, user_message=question.text)
                chosen = (await inject_memory(resources, wish)).chosen
                recalls.note(question, [places.get(one.memory.text, -1) for one in chosen])
            print(f"asked person {number} of {len(subjects)}", end="\r", file=sys.stderr, flush=True)
    finally:
        await resources.close()
    return recalls


def _report(title: str, recalls: Recalls, where: str) -> None:
    split = recalls.by_category if len(recalls.by_category) > 1 else {}
    figures = {f"recall@{most}": fmean(recalls.at[most]) for most in (5, 10)}
    figures |= {f"hit@{most}": fmean(recalls.hits[most]) for most in (1, 5, 10)}
    figures |= {category: fmean(split[category]) for category in sorted(split)}
    figures["s.e."] = stdev(recalls.at[10]) / len(recalls.at[10]) ** 0.5
    rows = [(name, f"{figure:.3f}") for name, figure in figures.items()]
    rows += [("memories given", f"{fmean(recalls.given):.1f}"), ("precision", f"{fmean(recalls.precision):.3f}")]
    show(f"{title}: {len(recalls.given)} questions, {where}", ("", "inject-memory"), rows)


def main(name: str, about: str | None, load: Callable[[Path], list[Subject]]) -> None:
    """The command line of a benchmark over such data."""
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.recall.{name}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the data set's own file")
    parser.add_argument("--embeddings-url", help="an OpenAI-compatible endpoint for embeddings, up to /v1")
    parser.add_argument("--embeddings-model", default=MODEL, help="the model's name there")
    parser.add_argument("--local", action="store_true", help="also with the extra local-embeddings")
    parser.add_argument("--among", type=int, default=0, help="memories of other people in the same table")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    subjects = load(given.data)
    print(f"{len(subjects)} people, {sum(len(subject.memories) for subject in subjects)} memories", flush=True)
    url, model = given.embeddings_url, given.embeddings_model
    asyncio.run(run(subjects, among=given.among, url=url, model=model, folder=given.folder, local=given.local))
