"""Times mem0 beside Keepsake in one run: adding what was said, and finding what belongs to a message.

mem0 is installed from PyPI, at the version below, into an environment that is thrown away; it keeps its rows in the
same Postgres, with pgvector and its own defaults, and asks the same scripted model for answers and embeddings, which
answers at once. The people's 1,000 memories are the same on both sides, first alone, then among 100,000 of others.
mem0's rows are copied in with the payload that its own `add` writes, before its index is made.

"own" is the time without the model's and the embedder's answers: for mem0's search, its embedding already computed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
import urllib.request
import venv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import md5
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
from psycopg import sql

from bench.harness.effort import HEADINGS, Efforts
from bench.harness.sayings import MESSAGES
from bench.harness.stage import Speaker, Stage, stage
from bench.harness.timing import Times, machine, p50, p95, show, timed
from bench.speed.extraction import WARM_UP, scripted_model, statements
from bench.speed.extraction import measure as measure_extraction
from keepsake.domain.context.limits import Limits
from keepsake.domain.context.selection import select_memories
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.store.context_candidates import CandidateQuery, find_candidates
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.model_server.embedding import DIMENSIONS, embed

MEM0 = "mem0ai==2.2.1"
WITH = ("psycopg[binary]==3.3.9", "psycopg-pool==3.3.3")
_TABLE = "mem0_memories"
_SIDE = Path(__file__).with_name("peers_mem0_side.py")
Row = tuple[object, ...]


@contextmanager
def mem0_python(given: Path | None) -> Iterator[Path]:
    """The Python of an environment that has mem0: the one given, or a new one that is removed afterwards."""
    if given:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="keepsake-mem0-") as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", MEM0, *WITH], check=True)
        yield python


class Mem0:
    """mem0 over one table of the stage's server."""

    def __init__(self, on: Stage, python: Path, model_url: str, folder: Path) -> None:
        self._on, self._python, self._model_url, self._folder = on, python, model_url, folder

    def fill(self, people: Sequence[Speaker]) -> None:
        """Give the table the memories of these people, as mem0 writes them, and then its index."""
        with psycopg.connect(self._on.superuser_url, autocommit=True) as keepsakes:
            keepsakes.execute("drop database if exists mem0")
            keepsakes.execute("create database mem0")
            rows = keepsakes.execute(_THEIRS, ([person.user_id for person in people],)).fetchall()
        table = sql.Identifier(_TABLE)
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute("create extension vector")
            connection.execute(sql.SQL(_MAKE).format(table=table, size=sql.Literal(DIMENSIONS)))
            with connection.cursor() as cursor, cursor.copy(sql.SQL("copy {} from stdin").format(table)) as copy:
                for row_id, user_id, text, created_at in rows:
                    copy.write_row((row_id, str(embed(text)), _payload(str(user_id), text, created_at.isoformat())))
            connection.execute("set maintenance_work_mem = '512MB'")
            for statement in (_HNSW, _LEMMAS, "vacuum (analyze) {table}"):
                connection.execute(sql.SQL(statement).format(table=table))

    @property
    def _url(self) -> str:
        """A database of its own on the same server."""
        return self._on.server.url(database="mem0")

    def measure(self, person: Speaker, *, warm_up: int = 3, **what: Sequence[str]) -> dict[str, Any]:
        """Have mem0 add or search, in its own process; the first calls are not noted."""
        told = {
            "model_url": self._model_url,
            "database_url": self._url,
            "dimensions": DIMENSIONS,
            "table": _TABLE,
            "history": str(self._folder / "history.db"),
            "user": str(person.user_id),
            "warm_up": warm_up,
            **what,
        }
        environment = {**os.environ, "MEM0_TELEMETRY": "False", "MEM0_DIR": str(self._folder)}  # noqa: TID251 (handed on)
        done = subprocess.run(
            [self._python, _SIDE],
            input=json.dumps(told) + "\n",
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-2000:])
        figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return figures


_THEIRS = """
select id, user_id, memory_text, created_at from public.user_memory where user_id = any(%s) order by created_at
"""
# What mem0 makes itself where there is no table yet, but for the order: rows first, then indexes.
_MAKE = "create table {table} (id uuid primary key, vector vector({size}), payload jsonb)"
_HNSW = "create index on {table} using hnsw (vector vector_cosine_ops)"
_LEMMAS = "create index on {table} using gin (to_tsvector('simple', payload ->> 'text_lemmatized'))"


def _payload(user_id: str, text: str, created_at: str) -> str:
    digest = md5(text.encode(), usedforsecurity=False).hexdigest()
    more = {"hash": digest, "created_at": created_at, "updated_at": created_at, "user_id": user_id}
    return json.dumps({"data": text, "text_lemmatized": text.lower(), **more})


async def injections(on: Stage, person: Speaker, calls: int, *, first: bool) -> tuple[Times, Counter[int]]:
    """Keepsake's side of a search: the whole injection, its accounting committed; and how many memories it chose."""
    texts = list(islice(cycle(MESSAGES), calls + WARM_UP))
    times: Times = []
    chosen: Counter[int] = Counter()
    resources = Resources.build(on.settings())
    try:
        for number, (chat, message) in enumerate(on.talk([person], texts, first=first)):

            async def call(wish: ContextRequest, counted: Counter[int]) -> None:
                counted[len((await inject_memory(resources, wish)).chosen)] += 1

            noted = chosen if number >= WARM_UP else Counter()
            await timed(partial(call, ContextRequest(chat, message_id=message), noted), times)
    finally:
        await resources.close()
    return times[WARM_UP:], chosen


async def findings(on: Stage, person: Speaker, calls: int) -> tuple[Times, Counter[int]]:
    """Finding alone, as mem0's search does: the candidates of one query, and the choice among them."""
    times: Times = []
    found: Counter[int] = Counter()
    resources = Resources.build(on.settings())
    now = resources.clock.now()
    try:
        for number, text in enumerate(islice(cycle(MESSAGES), calls + WARM_UP)):
            began = perf_counter()
            async with resources.database.as_service(Profile.HOT) as conn:
                query = CandidateQuery(
                    user_id=person.user_id,
                    profile_id=person.profile_id,
                    persona_id=None,
                    types=list(MemoryType),
                    text=text,
                    now=now,
                )
                some = await find_candidates(conn, query)
            chosen = select_memories(some, message=text, now=now, limits=Limits()).chosen
            times.append((perf_counter() - began) * 1000)
            found[len(chosen)] += number >= WARM_UP
    finally:
        await resources.close()
    return times[WARM_UP:], found


def script(model_url: str, texts: Sequence[str]) -> None:
    """Have the model answer mem0's next questions in mem0's own form: one memory a turn."""
    answers = [{"content": json.dumps({"memory": [{"id": "0", "text": f"User said: {text}"}]})} for text in texts]
    body = json.dumps({"then": answers}).encode()
    asking = urllib.request.Request(f"{model_url}/script", body, {"content-type": "application/json"})  # noqa: S310 (our own address)
    with urllib.request.urlopen(asking):  # noqa: S310 (as above)
        pass


def _row(name: str, own: Times, whole: Times, results: object) -> Row:
    return name, p50(own), p95(own), p50(whole), results


def _own(took: dict[str, Any]) -> Times:
    return [whole - model for whole, model in zip(took["whole"], took["model"], strict=True)]


def _results(counted: Counter[int]) -> str:
    return ", ".join(f"{count} × {results}" for results, count in sorted(counted.items(), reverse=True))


async def compare(on: Stage, python: Path, calls: int, folder: Path) -> None:
    """Every measurement on one server."""
    person = on.people[0]
    headings = ("", "own p50 ms", "own p95 ms", "in all p50 ms", "results")
    with scripted_model() as url:
        mem0 = Mem0(on, python, url, folder)
        for among, people in (("alone", [person]), (f"among {on.rows:,} of all", on.people)):
            mem0.fill(people)
            theirs = mem0.measure(person, search=list(islice(cycle(MESSAGES), calls + 3)))["search"]
            alone, matching = await findings(on, person, calls)
            later, some = await injections(on, person, calls, first=False)
            first, chosen = await injections(on, person, calls, first=True)
            show(
                f"Finding what belongs to a message: 1,000 memories {among}",
                headings,
                [
                    _row("mem0 search", _own(theirs), theirs["whole"], _results(Counter(theirs["results"]))),
                    _row("Keepsake, finding and choosing alone", alone, alone, _results(matching)),
                    _row("Keepsake inject-memory, later message", later, later, _results(some)),
                    _row("Keepsake inject-memory, first message", first, first, _results(chosen)),
                ],
            )
        show(
            f"Adding {calls} turns of one person with 1,000 memories, one after another; the same words for each",
            ("", *HEADINGS, "memories"),
            [*_their_additions(mem0, on.people[1], url, calls), *await _our_additions(on, url, calls)],
        )


def _their_additions(mem0: Mem0, person: Speaker, url: str, calls: int) -> Iterator[Row]:
    """What mem0 does with each turn, without a model and with one that finds a memory in each."""
    for seed, (way, name) in enumerate((("add_plain", "infer=False (no extraction)"), ("add_infer", "infer=True"))):
        texts = statements(calls, seed)
        if way == "add_infer":
            script(url, texts)
        took = mem0.measure(person, warm_up=WARM_UP, **{way: texts})[way]
        efforts = Efforts(took["whole"], took["model"], took["cpu"], took["trips"])
        yield f"mem0 add, {name}", *efforts.summary(), sum(took["results"])


async def _our_additions(on: Stage, url: str, calls: int) -> list[Row]:
    """What Keepsake does with the very same turns: as long for rules, and for a model that answers at once."""
    rows: list[Row] = []
    with_model = {"openai_extraction_model": "scripted", "openai_base_url": url, "model_trial": False}
    for seed, (name, settings) in enumerate((("rules", {}), ("the model", with_model))):
        said = on.talk(on.people[1:2], statements(calls, seed))
        efforts, ended = await measure_extraction(on, said, **settings)
        rows.append((f"Keepsake extract-user-memory, {name}", *efforts.summary(), ended["memories"]))
    return rows


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.peers_mem0",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, default=100_000, help="memories of all people together")
    parser.add_argument("--calls", type=int, default=100, help="timed calls of each kind")
    parser.add_argument("--python", type=Path, help=f"a Python that has {MEM0} already; else one is made for the run")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine(), MEM0, sep="; ")
    with (
        mem0_python(arguments.python) as python,
        stage(arguments.rows, folder=arguments.folder) as on,
        tempfile.TemporaryDirectory(prefix="keepsake-mem0-") as folder,
    ):
        asyncio.run(compare(on, python, arguments.calls, Path(folder)))


if __name__ == "__main__":
    main()
