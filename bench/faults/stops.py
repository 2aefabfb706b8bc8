"""Stops Keepsake in seven orders while messages arrive, and counts what is lost, doubled, left over or late to end.

The orders: a function's process; the worker; the database, and then both; PostgREST, and then the stack; a worker or a
function during a call of the model; a migration; an erasure. In each round what is stopped gets SIGTERM at a random
moment (the database is shut down or killed in turns, and so are migrations and erasures) and must end within the grace
period that docs/operations.md states. Then everything is worked off, and at the end the invariants of the data and
``keepsake doctor`` are asked. Exit code 1 where anything was lost, doubled, left over, late or wrong.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psutil

from bench.faults.stop_migration import stop_migration
from bench.harness.delivery import Delivery, delivering
from bench.harness.fault_stage import (
    FUNCTION_GRACE,
    STACK_GRACE,
    WORKER_GRACE,
    FaultStage,
    Tally,
    fault_stage,
    findings,
    kill_tree,
    parse_arguments,
    report,
    running_stack,
    start_function,
)
from bench.harness.serving import Answer, Client
from bench.harness.slow_model import SlowModel, slow_model
from bench.harness.stage import SECRET_KEY, Speaker, stage
from bench.harness.traffic import announce, settings_of_load, start_worker
from keepsake.project.keys import person_token

_ORDERS = ("process", "worker", "database", "PostgREST", "model call", "migration", "erasure")
_PEOPLE = 20
_MEMORIES = 300
_MESSAGES = 150
_REPLY: dict[str, list[str]] = {"memories": []}
_CLAIMED = "select count(*) from keepsake.extractions where status = 'claimed'"
_ATTEMPTS = "select coalesce(max(attempts), 0) from keepsake.extractions where source_message_id = any(%s::uuid[])"
_OF_PERSON = "select count(*) from public.user_memory where user_id = %s"


async def stop_function(rig: FaultStage, tally: Tally, _number: int) -> None:
    """SIGTERM to the process of chat-send while eight connections deliver."""
    saved = rig.save(_MESSAGES)
    process, port = await start_function(settings_of_load(rig.on), "chat_send")
    async with delivering(port, SECRET_KEY, saved) as delivery:
        await delivery.until_acknowledged()
        await asyncio.sleep(rig.dice.uniform(0, 0.6))
        await tally.end(process, FUNCTION_GRACE)
    await rig.finish(tally, delivery, saved)


async def stop_worker(rig: FaultStage, tally: Tally, _number: int) -> None:
    """SIGTERM to a worker that works off what waits."""
    saved = rig.save(_MESSAGES)
    await announce(rig.on, saved)
    process = await start_worker(settings_of_load(rig.on))
    await asyncio.sleep(rig.dice.uniform(0, 1.5))
    await tally.end(process, WORKER_GRACE)
    _note_claims(rig, tally)
    await rig.finish(tally, Delivery(list(saved)), saved)


async def stop_database(rig: FaultStage, tally: Tally, number: int) -> None:
    """The server is shut down or killed under load, and function and worker are told to end while it is away."""
    saved = rig.save(_MESSAGES)
    settings = settings_of_load(rig.on)
    (function, port), worker = await asyncio.gather(start_function(settings, "chat_send"), start_worker(settings))
    async with delivering(port, SECRET_KEY, saved) as delivery:
        await delivery.until_acknowledged()
        await asyncio.sleep(rig.dice.uniform(0, 0.6))
        if number % 2 and rig.on.server.process is not None:
            rig.on.server.process.kill()
        await asyncio.to_thread(rig.on.server.stop)
        await asyncio.sleep(rig.dice.uniform(0, 1.5))
        await asyncio.gather(tally.end(function, FUNCTION_GRACE), tally.end(worker, WORKER_GRACE))
    rig.on.server.start()  # by this thread: the server ends with the one that starts it
    await rig.finish(tally, delivery, saved)


async def stop_postgrest(rig: FaultStage, tally: Tally, _number: int) -> None:
    """PostgREST of a stack is killed under load, and the stack is told to end a moment later."""
    saved = rig.save(_MESSAGES)
    async with running_stack(rig.on) as (process, port, project):
        rest = [child for child in psutil.Process(process.pid).children() if child.name() == "postgrest"]
        children = psutil.Process(process.pid).children(recursive=True)
        async with delivering(port, project.keys().secret_key, saved) as delivery:
            await delivery.until_acknowledged()
            await asyncio.sleep(rig.dice.uniform(0, 0.6))
            for child in rest:
                child.kill()
            await asyncio.sleep(rig.dice.uniform(0, 0.6))
            await tally.end(process, STACK_GRACE)
    tally.wrong += [] if rest else ["no PostgREST ran"]
    tally.wrong += [f"{child} outlives the stack" for child in children if _runs(child)]
    await rig.finish(tally, delivery, saved)


def _runs(process: psutil.Process) -> bool:
    """Whether it has not ended; one that nobody has asked for its exit code (a zombie) has."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


async def stop_model_call(rig: FaultStage, tally: Tally, number: int) -> None:
    """SIGTERM during a call: to a worker or run-due-jobs, whose calls outlast the grace period, or to an extraction."""
    saved = rig.save(6)
    await announce(rig.on, saved)
    target = ("worker", "run_due_jobs", "extract_user_memory")[number % 3]
    async with slow_model(_REPLY, 3 if target == "extract_user_memory" else 20) as model:
        settings = settings_of_load(
            rig.on,
            openai_base_url=model.url,
            openai_extraction_model="slow",
            openai_schema_mode="json_schema",
            model_trial=False,
        )
        if target == "worker":
            worker = await start_worker(settings)
            await _until_called(model)
            await tally.end(worker, WORKER_GRACE)
        else:
            process, port = await start_function(settings, target)
            body = {"conversation_id": str(saved[0][0]), "message_id": str(saved[0][1])}
            request = asyncio.create_task(
                Client(port, SECRET_KEY).request(
                    target.replace("_", "-"), body if target == "extract_user_memory" else {}
                )
            )
            await _until_called(model, request)
            await tally.end(process, FUNCTION_GRACE)
            tally.wrong += await _failure(target, request)
    _note_claims(rig, tally)
    await rig.finish(tally, Delivery(list(saved)), saved)
    if (attempts := rig.value(_ATTEMPTS, [message for _, message in saved])) > 1:
        tally.wrong.append(f"{attempts} attempts of a message: the stop was taken for a crash")


async def _failure(target: str, request: asyncio.Task[Answer]) -> list[str]:
    """What went wrong with a request that was under way: nothing where it was answered."""
    try:
        answer = await request
    except (OSError, EOFError) as error:
        return [f"{target} was under way and not answered: {error!r}"]
    return [] if answer.status == 200 else [f"{target} was under way and answered {answer.status} {answer.content!r}"]


async def stop_erasure(rig: FaultStage, tally: Tally, number: int, victims: list[Speaker]) -> None:
    """SIGTERM or SIGKILL to the process that erases everything of a person; it is done as a whole or not at all."""
    victim = victims.pop()
    saved = FaultStage.save(_of(rig, victim), 5)
    await announce(rig.on, saved)
    settings = settings_of_load(rig.on)
    process, port = await start_function(settings, "erase_memories")
    login = {"jwt_secret": "0" * 32, "api_url": settings.supabase_url, "lifetime": timedelta(hours=1)}
    token = person_token(victim.user_id, "a@example.com", **login)
    client = Client(port, "", token)
    request = asyncio.create_task(client.request("erase-memories", {"everything": True, "confirm": "erase"}))
    await asyncio.sleep(rig.dice.uniform(0, 0.5))
    if number % 2:
        kill_tree(process)
        await process.wait()
    else:
        await tally.end(process, FUNCTION_GRACE)
    is_erased = False
    with suppress(OSError, EOFError):
        is_erased = (await request).status == 200
        tally.wrong += [] if is_erased else [f"the erasure was answered {request.result()}"]
    await client.close()
    left = rig.value(_OF_PERSON, victim.user_id)
    if left not in {0, _MEMORIES} or (is_erased and left):
        tally.wrong.append(f"{left} of {_MEMORIES} memories are left of an erasure, acknowledged: {is_erased}")
    if left == 0:
        await rig.drain()
        tally.wrong += [] if rig.value(_OF_PERSON, victim.user_id) == 0 else ["what was erased came back"]
    tally.acknowledged += is_erased
    tally.broken += not is_erased
    await rig.drain()
    tally.rounds += 1


def _of(rig: FaultStage, person: Speaker) -> FaultStage:
    alone = object.__new__(FaultStage)
    alone.on, alone.dice = replace(rig.on, people=[person]), rig.dice
    return alone


def _note_claims(rig: FaultStage, tally: Tally) -> None:
    if claimed := rig.value(_CLAIMED):
        tally.wrong.append(f"{claimed} claims were not released")


async def _until_called(model: SlowModel, request: asyncio.Task[Answer] | None = None) -> None:
    async with asyncio.timeout(60):
        while not model.waiting:
            await asyncio.sleep(0.02)
            if request is not None and request.done():
                raise RuntimeError(f"the model was not called: {request.result()}")


async def run(rounds: int, seed: int, folder: Path | None, chosen: list[str]) -> bool:
    """Stop in each order so many times, and print the table; whether all is well."""
    tallies: dict[str, Tally] = {}
    count = _PEOPLE + rounds
    with stage(_MEMORIES * count, each=_MEMORIES, folder=folder) as whole:
        victims = list(whole.people[_PEOPLE:])
        on = replace(whole, people=whole.people[:_PEOPLE])

        async def erasure(rig: FaultStage, tally: Tally, number: int) -> None:
            await stop_erasure(rig, tally, number, victims)

        steps: tuple[Callable[[FaultStage, Tally, int], Awaitable[None]], ...] = (
            stop_function, stop_worker, stop_database, stop_postgrest, stop_model_call, stop_migration, erasure,
        )  # fmt: skip
        orders = dict(zip(_ORDERS, steps, strict=True))
        async with fault_stage(on, seed) as rig:
            for name in chosen or orders:
                began, tally = time.monotonic(), tallies.setdefault(name, Tally())
                for number in range(rounds):
                    await orders[name](rig, tally, number)
                print(f"{name}, {time.monotonic() - began:.0f} s: {tally.row()}", file=sys.stderr, flush=True)
            unfinished = await rig.jobs_left()
        wrong = await findings(on)
    return report(f"Stops, seed {seed}", tallies, unfinished, wrong)


def main() -> int:
    """The command line."""
    given = parse_arguments("python -m bench.faults.stops", __doc__, rounds=20, kinds="orders", choices=_ORDERS)
    is_clean = asyncio.run(run(given.rounds, given.seed, given.folder, given.chosen))
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
