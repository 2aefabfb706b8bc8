"""Delivers signed webhooks at a steady rate while workers extract, and reports latency, backlog, loss and growth.

A soak test: one functions process and a few workers on one server, and the client on the same machine. The load is
open: every message has a due time, from which the latency of its acknowledgment counts, however late it was sent.
Messages are saved just before their webhooks; every tenth also asks for its context, and ``run-due-jobs`` is called
each minute, as cron would. Then the workers drain what waits, and everything is counted. Bounded, on the loopback
only. Exit code 1 where the p99 of the acknowledgments exceeds 250 ms, the backlog grows, or a message was refused,
lost, processed twice or not at all, or an invariant or ``keepsake doctor`` finds something.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, time
from uuid import UUID

import psutil
import psycopg
from standardwebhooks.webhooks import Webhook

from bench.harness.fault_stage import findings
from bench.harness.serving import Client, Served, served
from bench.harness.stage import Speaker, Stage, stage
from bench.harness.timing import machine, p50, p95, p99, show
from bench.harness.traffic import (
    Ends,
    cpu_seconds,
    ends,
    save_messages,
    server_pid,
    settings_of_load,
    statements,
    until_drained,
    workers,
)

MOST_RATE, MOST_SECONDS, MOST_CONNECTIONS = 500, 3_600, 200
WINDOW = 15.0
"""Seconds between two samples of the backlog, and of a window of latencies."""
LEAST_SECONDS = 60
"""Four samples: fewer say nothing of the growth of what waits."""
LIMIT_MS = 250.0
_PEOPLE = 200
_MEMORIES = 100
_BATCHES = 10
"""Times a second that messages are saved."""
_INJECTS_EVERY = 10
_WARM_SECONDS = 60.0
_WARM_MESSAGES = 20
_IDLE_SECONDS = 3.0
"""An idle connection is not used again after it: the server closes those that are idle for five."""
_SECRET = "whsec_" + base64.b64encode(b"0" * 32).decode()
_BACKLOG = """
select (select count(*) from keepsake.extractions where status in ('pending', 'claimed')),
  (select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid())
"""
_SAVE = """
insert into public.messages (conversation_id, user_id, role, content, created_at)
select t.chat, t.person, 'user', t.text, clock_timestamp()
from unnest(%s::uuid[], %s::uuid[], %s::text[]) with ordinality as t (chat, person, text, no) order by t.no returning id
"""
_FINISHED = "select source_message_id, finished_at from keepsake.extractions where source_message_id = any(%s::uuid[])"
_TABLES = """
select n.nspname || '.' || c.relname, greatest(c.reltuples, 0)::bigint, pg_total_relation_size(c.oid) / 1e6
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname in ('public', 'keepsake') order by 3 desc limit 8
"""


@dataclass(slots=True)
class _Sample:
    """The state at one moment: seconds since the start, messages that wait, connections, memory of the processes."""

    at: float
    waiting: int
    connections: int
    rss: tuple[float, ...]


@dataclass(slots=True)
class _Load:
    """What was sent, and how it was answered."""

    server: Served
    webhook: Webhook = field(default_factory=lambda: Webhook(_SECRET))
    acknowledged: dict[UUID, tuple[UUID, float]] = field(default_factory=dict)
    """The conversation and the due time (of the wall clock) of each message."""
    delays: list[tuple[float, float]] = field(default_factory=list)
    """The due time since the start, and the milliseconds until the acknowledgment."""
    injects: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    sent: int = 0
    samples: list[_Sample] = field(default_factory=list)
    idle: list[tuple[Client, float]] = field(default_factory=list)
    """Open connections, and since when each is not used."""
    connections: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_CONNECTIONS))

    async def deliver(self, chat: UUID, message: UUID, due: float, start: float) -> None:
        """Send the webhook of a message when it is due."""
        record = {"id": str(message), "conversation_id": str(chat)}
        body = json.dumps({"type": "INSERT", "table": "messages", "schema": "public", "record": record}).encode()
        await _until(due)
        self.sent += 1
        now = datetime.now(UTC)
        login = (
            f"webhook-id: {message}\r\nwebhook-timestamp: {int(now.timestamp())}\r\n"
            f"webhook-signature: {self.webhook.sign(str(message), now, body.decode())}\r\n"
        )
        if await self._ask("chat-send", body, login):
            self.delays.append((due - start, (perf_counter() - due) * 1000))
            self.acknowledged[message] = chat, time() - (perf_counter() - due)

    async def inject(self, chat: UUID, message: UUID, due: float) -> None:
        """Ask for the context of a message when it is due."""
        await _until(due)
        if await self._ask("inject-memory", {"conversation_id": str(chat), "message_id": str(message)}):
            self.injects.append((perf_counter() - due) * 1000)

    async def run_due_jobs(self, start: float, seconds: float) -> None:
        """Call ``run-due-jobs`` each minute."""
        for minute in range(int(seconds // 60)):
            await _until(start + 60 * minute + 30)
            await self._ask("run-due-jobs", {})

    async def _ask(self, function: str, body: object, login: str | None = None) -> bool:
        """Whether a call was answered 2xx; what else happened is noted."""
        async with self.connections:
            client, since = self.idle.pop() if self.idle else (self.server.connect(), 0.0)
            if perf_counter() - since > _IDLE_SECONDS:
                await client.close()
            try:
                answer = await client.request(function, body, login=login)
            except (OSError, EOFError) as error:
                self.wrong.append(f"{function}: {error!r}")
                await client.close()
                return False
            self.idle.append((client, perf_counter()))
        if not 200 <= answer.status < 300:
            self.wrong.append(f"{function}: {answer.status} {answer.content[:200]!r}")
        return 200 <= answer.status < 300

    async def watch(self, on: Stage, pids: Sequence[int], start: float) -> None:
        """Sample the backlog and the processes until cancelled."""
        async with await psycopg.AsyncConnection.connect(on.superuser_url, autocommit=True) as connection:
            while True:
                await _until(start + WINDOW * (len(self.samples) + 1))
                row = await (await connection.execute(_BACKLOG)).fetchone()
                assert row
                rss = tuple(psutil.Process(pid).memory_info().rss / 1e6 for pid in pids)
                self.samples.append(_Sample(perf_counter() - start, row[0], row[1], rss))


async def _until(moment: float) -> None:
    if (wait := moment - perf_counter()) > 0:
        await asyncio.sleep(wait)


async def _warm_up(load: _Load, on: Stage) -> None:
    """Let functions and workers load what they load once: that is no part of a steady load."""
    warm = save_messages(on, statements(_WARM_MESSAGES))
    for chat, message in warm:
        body = {"conversation_id": str(chat), "message_id": str(message)}
        for function in ("inject-memory", "chat-send"):
            await load.server.call(function, body)
    await until_drained(on, warm, _WARM_SECONDS)


async def _send_all(load: _Load, on: Stage, rate: int, seconds: int, start: float) -> None:
    """Save the messages batch by batch, each just before its webhooks are due, and send those."""
    texts, size = statements(rate * seconds), max(1, rate // _BATCHES)
    people: list[Speaker] = [on.people[number % len(on.people)] for number in range(len(texts))]
    async with (
        await psycopg.AsyncConnection.connect(on.superuser_url, autocommit=True) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        tasks.create_task(load.run_due_jobs(start, seconds))
        for first in range(0, len(texts), size):
            due = start + first / rate
            await _until(due - 1 / _BATCHES)
            batch = people[first : first + size]
            chats = [person.conversation_id for person in batch]
            saved = await connection.execute(
                _SAVE, (chats, [person.user_id for person in batch], texts[first : first + size])
            )
            for number, (message,) in enumerate(await saved.fetchall()):
                moment = due + number / rate
                tasks.create_task(load.deliver(chats[number], message, moment, start))
                if (first + number) % _INJECTS_EVERY == 0:
                    tasks.create_task(load.inject(chats[number], message, moment))


def _grows(samples: Sequence[_Sample], rate: int) -> bool:
    """Whether more wait in the last third than in the first, after a minute, by more than a second's messages."""
    steady = [sample.waiting for sample in samples if sample.at >= min(_WARM_SECONDS, samples[-1].at / 2)]
    third = max(1, len(steady) // 3)
    return median(steady[-third:]) - median(steady[:third]) > rate


def _report(load: _Load, on: Stage, rate: int, found: Ends, rates: tuple[float, float]) -> bool:
    """Print the tables; whether the goals are met, apart from what the data are asked."""
    delays = [delay for _, delay in load.delays]
    windows: dict[int, list[float]] = {}
    for at, delay in load.delays:
        windows.setdefault(int(at // WINDOW), []).append(delay)
    show(
        "Acknowledgments, ms from the due time",
        ("", "p50", "p95", "p99"),
        [
            ("all", p50(delays), p95(delays), p99(delays)),
            *(
                (name, *(of([quantile(window) for window in windows.values()]) for quantile in (p50, p95, p99)))
                for name, of in (("windows of 15 s, median", median), ("windows of 15 s, worst", max))
            ),
            ("inject-memory, all", p50(load.injects), p95(load.injects), p99(load.injects)),
        ],
    )
    show(
        "Samples",
        ("s", "waiting", "connections", "RSS MB: functions, workers"),
        [(s.at, s.waiting, s.connections, ", ".join(f"{rss:.0f}" for rss in s.rss)) for s in load.samples],
    )
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("analyze")
        show("Tables", ("", "rows", "MB"), [(n, r, float(mb)) for n, r, mb in connection.execute(_TABLES)])
        finished = connection.execute(_FINISHED, (list(load.acknowledged),)).fetchall()
    until_memory = [at.timestamp() - load.acknowledged[message][1] for message, at in finished if at is not None]
    grows = _grows(load.samples, rate)
    print(
        f"sent {load.sent}, acknowledged {len(load.acknowledged)}, errors {len(load.wrong)}; extracted "
        f"{found.extracted}, skipped {found.skipped}, lost {found.lost}, waiting {found.waiting}, twice {found.twice}, "
        f"quarantined {found.quarantined}, attempts {found.most_attempts} at most\n"
        f"processed a second: {rates[0]:.1f} under load, {rates[1]:.1f} with what was drained after it; the backlog "
        f"{'GROWS' if grows else 'does not grow'}; from the webhook to the end of its extraction: p50 "
        f"{p50(until_memory):.2f} s, p99 {p99(until_memory):.2f} s"
    )
    for line, times in Counter(load.wrong).most_common(5):
        print(f"{times} × {line}")
    return found.is_clean and not load.wrong and not grows and p99(delays) <= LIMIT_MS


async def run(rate: int, seconds: int, count: int, folder: Path | None) -> bool:
    """Load one functions process and so many workers, and report; whether all is well."""
    with stage(_PEOPLE * _MEMORIES, each=_MEMORIES, folder=folder) as on:
        settings = settings_of_load(on, webhook_secrets=_SECRET)
        async with served(settings) as server, workers(settings, count) as working:
            load = _Load(server)
            await _warm_up(load, on)
            start = perf_counter() + 1
            parts = [server.pid], [one.pid for one in working], [server_pid(on)]
            cpu = *(cpu_seconds(pids) for pids in parts), process_time()
            watching = asyncio.create_task(load.watch(on, [server.pid, *(one.pid for one in working)], start))
            try:
                await _send_all(load, on, rate, seconds, start)
                loaded, sent = perf_counter() - start, [(c, m) for m, (c, _) in load.acknowledged.items()]
                done = len(sent) - ends(on, sent).waiting
                found = await until_drained(on, sent, max(60, seconds))
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching
            rates = done / loaded, len(sent) / (perf_counter() - start)
            now = *(cpu_seconds(pids) for pids in parts), process_time()
            used = [(after - before) / len(sent) * 1000 for before, after in zip(cpu, now, strict=True)]
            for client, _ in load.idle:
                await client.close()
        is_met = _report(load, on, rate, found, rates)
        print("CPU ms a message: functions {:.1f}, workers {:.1f}, Postgres {:.1f}, client {:.1f}".format(*used))
        wrong = await findings(on)
    print("invariants and doctor:", "; ".join(wrong) or "all hold")
    return is_met and not wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.load.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=int, default=100, help=f"webhooks a second, {MOST_RATE} at most")
    parser.add_argument("--seconds", type=int, default=600, help=f"how long, {LEAST_SECONDS} to {MOST_SECONDS}")
    parser.add_argument("--workers", type=int, default=1, help="workers, four at most")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    print(machine(), flush=True)
    rate, seconds = min(given.rate, MOST_RATE), min(max(given.seconds, LEAST_SECONDS), MOST_SECONDS)
    return 0 if asyncio.run(run(rate, seconds, min(given.workers, 4), given.folder)) else 1


if __name__ == "__main__":
    sys.exit(main())
