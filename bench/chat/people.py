"""Measures what contexts hold of people with about thirty memories: what a message needs, and what is beside the point.

A line of the set is a person: `memories`, and `messages` that each name the memories they need and those that do no
harm, by their place. Memories are imported; each message is asked as a later and as a first message of a conversation.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any

from bench.chat.chatter import Chatter
from bench.harness.stage import Stage, stage
from bench.harness.timing import show
from keepsake.infra.resources import Resources
from keepsake.usecases.embed_memories import embed_memories

_DATA = Path(__file__).parents[1] / "data" / "people" / "people_one.jsonl"
_SHOWN_REGARDLESS = ("must not be missed", "pinned", "who the person is", "the newest", "important")
"""Why a memory is shown whatever the message says; such a one is not off topic."""
_FIGURES = (
    ("needed memories shown to a {} message", "there", "needed"),
    ("off topic, of what a {} message gets (lower)", "off_topic", "shown"),
    ("{} messages that need nothing and get something (lower)", "disturbed", "idle"),
)


async def run(people: list[dict[str, Any]], *, local: bool) -> tuple[Counter[str], list[dict[str, Any]]]:
    """Import the memories of each person and ask their messages; what was counted, and each context."""
    counts: Counter[str] = Counter()
    contexts: list[dict[str, Any]] = []
    more = {"embedding": "local", "embedding_batch_seconds": 300, "embedding_deadline_ms": 10_000}
    with stage(0) as on:
        resources = Resources.build(on.settings(**(more if local else {"embedding": "off"})))
        try:
            chatters = [await _know(on, resources, person["memories"]) for person in people]
            if local:
                await _embed(resources)
            for person, chatter in zip(people, chatters, strict=True):
                contexts += await _ask_all(person, chatter, counts)
        finally:
            await resources.close()
    return counts, contexts


async def _know(on: Stage, resources: Resources, memories: list[str]) -> Chatter:
    chatter = Chatter.sign_up(on, resources)
    await chatter.know(tuple(memories))
    return chatter


async def _embed(resources: Resources) -> None:
    while (await embed_memories(resources)).embedded:
        pass


async def _ask_all(person: dict[str, Any], chatter: Chatter, counts: Counter[str]) -> list[dict[str, Any]]:
    places = {text: at for at, text in enumerate(person["memories"])}
    contexts = []
    for message in person["messages"]:
        first, later = chatter.open_chat(), chatter.open_chat()
        chatter.answer(later, "Hello!")
        for which, chat in (("first", first), ("later", later)):
            injected = await chatter.ask(chat, message["text"])
            shown = {places[chosen.memory.text]: chosen.why for chosen in injected.chosen}
            regardless = {at for at, why in shown.items() if why.startswith(_SHOWN_REGARDLESS)}
            _count(counts, which, message, set(shown), regardless)
            contexts.append({"person": person["id"], "which": which, "text": message["text"], "shown": shown})
    return contexts


def _count(counts: Counter[str], which: str, message: dict[str, Any], shown: set[int], regardless: set[int]) -> None:
    needed, allowed = set(message["needed"]), set(message["allowed"])
    off_topic = shown - needed - allowed - regardless
    counts[f"needed_{which}"] += len(needed)
    counts[f"there_{which}"] += len(needed & shown)
    counts[f"shown_{which}"] += len(shown - regardless)
    counts[f"off_topic_{which}"] += len(off_topic)
    counts[f"idle_{which}"] += not needed
    counts[f"disturbed_{which}"] += not needed and bool(off_topic)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.chat.people", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=_DATA, help=f"the set (default: {_DATA.name})")
    parser.add_argument("--local", action="store_true", help="with the embedding model of this process")
    parser.add_argument("--half", choices=("even", "odd"), help="only the people at even or odd places of the set")
    parser.add_argument("--out", type=Path, help="write each context to this file, one a line")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    people = [json.loads(line) for line in given.data.read_text(encoding="utf-8").splitlines() if line.strip()]
    if given.half:
        people = people[0 if given.half == "even" else 1 :: 2]
    counts, contexts = asyncio.run(run(people, local=given.local))
    if given.out:
        given.out.write_text("".join(json.dumps(one) + "\n" for one in contexts), encoding="utf-8")
    rows = [
        (label.format(which), counts[f"{part}_{which}"], counts[f"{whole}_{which}"],
         f"{counts[f'{part}_{which}'] / max(1, counts[f'{whole}_{which}']):.3f}")
        for which in ("later", "first")
        for label, part, whole in _FIGURES
    ]  # fmt: skip
    show(f"{len(people)} people", ("", "", "of", "share"), rows)


if __name__ == "__main__":
    main()
