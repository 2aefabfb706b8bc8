"""Which of our modules one call of the agent tool passes through: ``python -m bench.speed.module_trace``.

A database is filled, a first call warms up connections and caches, and ``sys.setprofile`` traces a second ``add_fact``
through the endpoint. A module counts if any of its functions runs; importing it does not count.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID

import httpx

import keepsake
from bench.harness.stage import SECRET_KEY, Stage, stage
from keepsake.infra.resources import Resources
from keepsake.operations.function_loader import load_functions
from tests.fixtures.resources import use_resources

_NAME = "manage-user-memory"
_PACKAGE = Path(keepsake.__file__).parent
LAYERS = ("endpoints", "contracts", "usecases", "store")
"""The layers that the number of modules is limited for."""


@contextmanager
def traced() -> Iterator[set[str]]:
    """The modules of the package in which a function is called during the block, by their path in the package."""
    modules: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and frame.f_code.co_name != "<module>" and path.is_relative_to(_PACKAGE):
            modules.add(path.relative_to(_PACKAGE).with_suffix("").as_posix())

    sys.setprofile(note)
    try:
        yield modules
    finally:
        sys.setprofile(None)


def limited(modules: Iterable[str]) -> list[str]:
    """Those of the modules that are in a layer with a limit."""
    return sorted(module for module in modules if module.partition("/")[0] in LAYERS)


async def trace(on: Stage) -> set[str]:
    """The modules that one call of ``add_fact`` passes through."""
    built = Resources.build(on.settings())
    headers = {"apikey": SECRET_KEY}
    with use_resources(built):
        transport = httpx.ASGITransport(load_functions()[_NAME])
        async with httpx.AsyncClient(transport=transport, base_url="http://keepsake", headers=headers) as client:
            await _add(client, on.people[0].user_id, "User prefers morning workouts")
            with traced() as modules:
                await _add(client, on.people[0].user_id, "User's favorite color is green")
    await built.close()
    return modules


async def _add(client: httpx.AsyncClient, user_id: UUID, content: str) -> None:
    body = {"operation": "add_fact", "content": content, "user_id": str(user_id)}
    response = await client.post(f"/functions/v1/{_NAME}", json=body)
    response.raise_for_status()
    if response.json()["status"] != "done":
        raise RuntimeError(response.text)


def main() -> None:
    """Print the modules by layer, the number in the limited layers, and the number in all."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with stage(10, each=10) as on:
        modules = asyncio.run(trace(on))
    by_layer: dict[str, list[str]] = defaultdict(list)
    for module in sorted(modules):
        layer, _, name = module.partition("/")
        by_layer[layer if name else "(top)"].append(name or layer)
    for layer, names in by_layer.items():
        print(f"{layer} ({len(names)}): {', '.join(names)}")
    print(f"{len(limited(modules))} modules in {', '.join(LAYERS)}; {len(modules)} in all layers")


if __name__ == "__main__":
    main()
