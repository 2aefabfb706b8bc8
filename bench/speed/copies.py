"""What the copies of an application's chats cost it: its own statements with Keepsake's triggers and without, in turns.

Of tables with a row for each message, a message is inserted: of a person who agreed, and of one who did not. Of chats
with all messages as JSON in their row, a save writes the whole list back with a question and an answer more, or with
the last message changed, as while an answer is streamed, or with the first one changed. CPU is that of the session at
the server; a turn is so many statements, each in a transaction of its own. All is fine if a message costs at most
1 ms more by CPU where it is a row or is added to a list.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

import psycopg

from bench.harness.adopted_server import adopted_server
from bench.harness.timing import machine, show
from tests.fixtures.db import Clone
from tests.operations.layouts import ADA, LAYOUTS
from tests.operations.test_adopt import run

_ALLOWED_MS = 1.0
_LENGTHS = (10, 100, 1_000)
_TEXT = "I have moved to Graz, where I work as a gardener in the park beside the river. " * 3
_HEADINGS = ("", "without, ms", "with, ms", "CPU without", "CPU with", "CPU a message")
Save = Callable[[psycopg.Connection], None]


@dataclass(slots=True)
class _Turns:
    """Medians of the turns, in milliseconds a statement."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def _cpu_ms(connection: psycopg.Connection) -> float:
    """The CPU that the session at the server has used."""
    return int(Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e6


def _turn(connection: psycopg.Connection, save: Save, statements: int, turns: _Turns) -> None:
    times, began = [], _cpu_ms(connection)
    for _ in range(statements):
        at = perf_counter()
        save(connection)
        times.append((perf_counter() - at) * 1000)
    turns.wall.append(median(times))
    turns.cpu.append((_cpu_ms(connection) - began) / statements)


def _compare(db: Clone, table: str, save: Save, given: argparse.Namespace) -> tuple[_Turns, _Turns]:
    """The same statements without the triggers and with them; the first turn of each warms up."""
    without, with_copies = _Turns(), _Turns()
    with psycopg.connect(db.owner_url, autocommit=True) as connection:
        for _ in range(given.rounds + 1):
            for turns, word in ((without, "disable"), (with_copies, "enable")):
                connection.execute(f"alter table {table} {word} trigger user".encode())
                _turn(connection, save, given.statements, turns)
    for turns in (without, with_copies):
        del turns.wall[0], turns.cpu[0]
    return without, with_copies


def _row(name: str, compared: tuple[_Turns, _Turns], messages: int = 1) -> tuple[object, ...]:
    wall, cpu = ([median(getattr(turns, kind)) for turns in compared] for kind in ("wall", "cpu"))
    return name, *wall, *cpu, (cpu[1] - cpu[0]) / messages


def _of_rows(name: str, given: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """An inserted message of a layout with rows, before the person agrees and after."""
    layout = LAYOUTS[name]
    say = layout.say.format(role=layout.roles[0], text=_TEXT).encode()
    with adopted_server(layout, folder=given.folder) as (_, db):
        run(db, layout.new_chat)
        yield _row(f"{name}, not agreed", _compare(db, layout.messages, lambda at: _run(at, say), given))
        _agree(db)
        yield _row(f"{name}, agreed", _compare(db, layout.messages, lambda at: _run(at, say), given))


def _of_lists(given: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """A save of a chat with a list of each length, in each of three ways."""
    layout = LAYOUTS["JSON in the chat"]
    with adopted_server(layout, folder=given.folder) as (_, db):
        run(db, layout.new_chat)
        _agree(db)
        for length in _LENGTHS:
            for way, messages in (("two more", 2), ("last changed", 1), ("first changed", 1)):
                save = _saves(way, length)
                yield _row(f"list of {length}, {way}", _compare(db, layout.chats, save, given), messages)


def _saves(way: str, length: int) -> Save:
    """Write the list back; one that has grown by a fifth begins anew, by a statement without triggers."""
    numbers = count()
    start = [_element(number) for number in range(length)]
    now: list[list[dict[str, str]]] = [start]

    def save(connection: psycopg.Connection) -> None:
        number = next(numbers)
        if way == "two more":
            now[0] = [*now[0], _element(number), _element(number + 1)] if len(now[0]) < length * 1.2 + 2 else start
        else:
            at = -1 if way == "last changed" else 0
            now[0] = [*start]
            now[0][at] = now[0][at] | {"content": f"{_TEXT} {number}"}
        connection.execute(
            "update public.chats set payload = jsonb_build_object('messages', %s::jsonb)", (json.dumps(now[0]),)
        )

    return save


def _element(number: int) -> dict[str, str]:
    return {"role": "assistant" if number % 2 else "user", "content": f"{number}: {_TEXT}"}


def _agree(db: Clone) -> None:
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s)", (ADA,))


def _run(connection: psycopg.Connection, statement: bytes) -> None:
    connection.execute(statement)


def measure(given: argparse.Namespace) -> bool:
    """Measure, print, and say whether a message costs no more than it may."""
    rows = [row for name in ("chatbot-ui", "ai-chatbot") for row in _of_rows(name, given)]
    rows += list(_of_lists(given))
    show(f"Median of {given.rounds} turns of {given.statements} statements", _HEADINGS, rows)
    return all(float(str(row[-1])) <= _ALLOWED_MS for row in rows if "changed" not in str(row[0]))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.copies", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7, help="turns of each kind")
    parser.add_argument("--statements", type=int, default=100, help="statements a turn")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    print(machine())
    return 0 if measure(given) else 1


if __name__ == "__main__":
    sys.exit(main())
