"""Times things, and prints the times as plain tables, with the machine they were taken on."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median, quantiles

from rich.console import Console
from rich.table import Table

Times = list[float]
"""Milliseconds, one a call."""


async def timed(call: Callable[[], Awaitable[object]], times: Times) -> None:
    """Await one call and note how long it took."""
    began = time.perf_counter()
    await call()
    times.append((time.perf_counter() - began) * 1000)


def p50(times: Sequence[float]) -> float:
    """Half of the calls took no longer."""
    return median(times)


def p95(times: Sequence[float]) -> float:
    """Nineteen of twenty calls took no longer."""
    return quantiles(times, n=20)[-1] if len(times) > 1 else times[0]


def p99(times: Sequence[float]) -> float:
    """Ninety-nine of a hundred calls took no longer."""
    return quantiles(times, n=100)[-1] if len(times) > 1 else times[0]


def machine() -> str:
    """The machine and what ran on it, in one line."""
    try:
        cpu = next(line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line)
        name = cpu.partition(":")[2].strip()
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    python = f"Python {platform.python_version()}, psycopg {version('psycopg')}"
    busy = f"load {os.getloadavg()[0]:.1f} at the start"
    return f"{os.cpu_count()} × {name}; {platform.system()}; {python}; {busy}"


def show(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]], *, width: int = 100) -> None:
    """Print a table; numbers with two decimals."""
    table = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left", no_wrap=not number)
    for row in rows:
        table.add_row(*(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row))
    Console(highlight=False, width=max(width, Console().width)).print(table)
