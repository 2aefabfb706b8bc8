"""Measures what messages that concern nothing get, with embedding models of different ranges of similarity.

One person with forty memories is asked things of the world, which concern none of them, things that one memory answers
in other words, and things that one memory answers although the question names nobody as "I" or "my". The second list of
things of the world was written after the rule for such questions; one limit of the rule was raised afterwards because
of the questions that name nobody. The models are the one of the extra `local-embeddings`, the same with a part that all
texts share (its similarities then lie elsewhere and closer together), and any at an OpenAI-compatible endpoint.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any
from uuid import UUID

import psycopg

from bench.harness.stage import MEMORIES, Stage, stage
from bench.harness.timing import show
from bench.recall.measure import embed_imported, sign_up
from keepsake.identity import Person
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.infra.models.embedding_reply_parser import Vectors
from keepsake.infra.resources import Resources
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory

_MEMORIES = (
    "Lives in Turin near the river", "Works as a nurse on a children's ward", "Has two cats called Pip and Mo",
    "Plays the cello in an amateur orchestra", "Is training for a half marathon", "Cannot stand horror films",
    "Her brother Tom builds boats in Norway", "Grows tomatoes and beans on the balcony", "Rides a blue bicycle to work",
    "Has a fear of heights", "Reads crime novels by Scandinavian authors", "Wants to learn Japanese",
    "Married to Elena since 2016", "Gets migraines when the weather changes", "Paints watercolors on Sundays",
    "Prefers window seats on trains", "Has a daughter in second grade", "Drinks espresso without sugar",
    "Grew up on a farm with sheep", "Is saving for a camper van", "Sings in the shower",
    "Collects vinyl records of jazz",
    "Keeps a diary since school", "Wears hearing aids", "Dislikes crowded beaches", "Volunteers at the food bank",
    "Owes her aunt a visit", "Has a tattoo of a swallow", "Hikes in the Dolomites every September",
    "Speaks Italian, German and a little Greek", "Never learned to swim", "Goes to bed before ten",
    "Knits socks as presents", "Watches cycling races on television", "Has a cabin in the woods with friends",
    "Makes her own bread with sourdough", "Lost her father two years ago", "Fixes old radios",
    "Uses a standing desk", "Plays chess by mail",
)  # fmt: skip
_IRRELEVANT = (
    "What is 19 times 46?", "Who painted the Mona Lisa?", "How do I revert a merge in git?",
    "Explain quantum entanglement.",
    "What is the boiling point of nitrogen?", "When did the First World War begin?", "Write a haiku about rain.",
    "How many moons does Jupiter have?", "What does HTTP status 304 mean?", "Translate 'library' into Latin.",
    "Why do leaves change color?", "How do vaccines work?", "What is the square root of 1764?",
    "Name the longest river in Asia.",
    "How is cement made?", "Sort this list alphabetically: pear, fig, apple.", "What is a binary tree?",
    "Who was the first woman in space?", "How far away is the moon?", "What is the capital of Peru?",
    "Define entropy.", "How do magnets work?", "Convert 12 miles to kilometers.", "What is the plot of Macbeth?",
)  # fmt: skip
_RELEVANT = (
    ("Which city am I at home in?", "Lives in Turin near the river"),
    ("What do I do for a living?", "Works as a nurse on a children's ward"),
    ("Who is my wife?", "Married to Elena since 2016"),
    ("What pets do I own?", "Has two cats called Pip and Mo"),
    ("Which instrument do I practice?", "Plays the cello in an amateur orchestra"),
    ("Find me a scary movie for tonight", "Cannot stand horror films"),
    ("My head hurts so much today", "Gets migraines when the weather changes"),
    ("Should we climb the church tower?", "Has a fear of heights"),
    ("What vegetables am I planting?", "Grows tomatoes and beans on the balcony"),
    ("How do I get to my job every morning?", "Rides a blue bicycle to work"),
    ("What should I read on holiday?", "Reads crime novels by Scandinavian authors"),
    ("What language would I like to study?", "Wants to learn Japanese"),
    ("Where do I go hiking in autumn?", "Hikes in the Dolomites every September"),
    ("How old might my child be?", "Has a daughter in second grade"),
    ("How do I take my coffee?", "Drinks espresso without sugar"),
    ("Which music do I buy?", "Collects vinyl records of jazz"),
)  # fmt: skip
_LATER_IRRELEVANT = (
    "Is Pluto a planet?", "Are tomatoes a fruit?", "Give me a synonym for happy.",
    "Tell me about the French Revolution.",
    "Fix this: for i in range(10) print(i)", "Can a bicycle fall over while it moves?", "I need a regex for emails.",
    "How do cats land on their feet?", "What is the chemical formula of sugar?", "Which sea is the saltiest?",
    "how many keys does a piano have", "Does bread dough need salt to rise?", "Who won the Tour de France in 1998?",
    "When do swallows migrate?", "Make a table of the planets.", "Who invented the radio?",
)  # fmt: skip
_IMPERSONAL = (
    ("What are the cats called?", "Has two cats called Pip and Mo"),
    ("Where does Tom build boats?", "Her brother Tom builds boats in Norway"),
    ("When did Elena get married?", "Married to Elena since 2016"),
    ("Which grade is the daughter in?", "Has a daughter in second grade"),
    ("What grows on the balcony?", "Grows tomatoes and beans on the balcony"),
    ("how long is the half marathon", "Is training for a half marathon"),
    ("Who owns the cabin in the woods?", "Has a cabin in the woods with friends"),
    ("What kind of instrument is played in the orchestra?", "Plays the cello in an amateur orchestra"),
    ("what does the aunt expect", "Owes her aunt a visit"),
    ("Where is the food bank?", "Volunteers at the food bank"),
    ("What color is the bicycle?", "Rides a blue bicycle to work"),
    ("Which bird is the tattoo?", "Has a tattoo of a swallow"),
)  # fmt: skip
_LATE_MS = 10_000


@dataclass
class ShiftedEmbedder:
    """The embedder with a part that all texts share, of this share of their length."""

    inner: Embedder
    share: float
    is_kept: bool | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @property
    def model(self) -> str:
        """A name of its own, since its vectors cannot be compared with those of the inner one."""
        return f"{self.inner.model} shifted by {self.share}"

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:
        """The vectors of the inner embedder, each with the shared part in front."""
        made = await self.inner.embed(texts, deadline=deadline)
        return Vectors(tuple(self._shift(vector) for vector in made.vectors), made.tokens)

    async def embed_message(self, text: str, *, deadline: float) -> Vectors:
        """The vector of its text."""
        return await self.embed([text], deadline=deadline)

    def _shift(self, vector: Sequence[float]) -> array[float]:
        length = sqrt(sum(part * part for part in vector))
        return array("f", [sqrt(self.share) * length, *(sqrt(1 - self.share) * part for part in vector)])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one model gave."""

    model: str
    mean: float
    deviation: float
    irrelevant: Sequence[int]
    """How many memories each irrelevant message got."""
    found: int
    given: int
    impersonal: int
    """The answers found to questions that do not name the person."""


async def ask(resources: Resources, person: Person, chat: UUID) -> tuple[list[int], int, int, int]:
    """What each irrelevant message got, the answers found and all memories given, and the impersonal answers found."""

    async def texts(message: str) -> list[str]:
        wish = ContextRequest(chat, user_id=person.user_id, user_message=message)
        return [one.memory.text for one in (await inject_memory(resources, wish)).chosen]

    irrelevant = [len(await texts(message)) for message in (*_IRRELEVANT, *_LATER_IRRELEVANT)]
    answers = [(await texts(message), expected) for message, expected in _RELEVANT]
    impersonal = sum([expected in await texts(message) for message, expected in _IMPERSONAL])
    found = sum(expected in got for got, expected in answers)
    return irrelevant, found, sum(len(got) for got, _ in answers), impersonal


async def measure(on: Stage, resources: Resources) -> Outcome:
    """Import, embed and ask as one person of a stage of their own."""
    person, chat = sign_up(on)
    await import_memories(resources, person, json.dumps([{"memory_text": text} for text in _MEMORIES]).encode())
    await embed_imported(on, resources)
    irrelevant, found, given, impersonal = await ask(resources, person, chat)
    model = resources.embedder.model if resources.embedder else "words alone"
    with psycopg.connect(on.superuser_url) as connection:
        row = connection.execute(
            "select unrelated_mean, unrelated_deviation from keepsake.embedding_models where model = %s", (model,)
        ).fetchone()
    mean, deviation = row or (0.0, 0.0)
    return Outcome(model, mean, deviation, irrelevant, found, given, impersonal)


async def run(shares: Sequence[float], url: str | None, model: str) -> list[Outcome]:
    """Measure words alone, each model in this process, and the one at the endpoint."""
    outcomes = []
    with stage(MEMORIES) as on:
        for source in ["off", *shares, *(["endpoint"] if url else [])]:
            settings = {"embedding_deadline_ms": _LATE_MS, "embedding": source if isinstance(source, str) else "local"}
            if source == "endpoint":
                settings |= {"openai_embedding_model": model, "openai_embedding_base_url": url}
            resources = Resources.build(on.settings(**settings))
            try:
                if isinstance(source, float) and source and resources.embedder:
                    shifted = ShiftedEmbedder(resources.embedder, source)
                    outcomes.append(await measure(on, replace(resources, embedder=shifted)))
                else:
                    outcomes.append(await measure(on, resources))
            finally:
                await resources.close()
    return outcomes


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.recall.ranges", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--shares", type=float, nargs="*", default=[0.0, 0.3, 0.8], help="the part that all texts share"
    )
    parser.add_argument("--embeddings-url", help="an OpenAI-compatible endpoint for embeddings, up to /v1")
    parser.add_argument("--embeddings-model", default="embeddings", help="the model's name there")
    given = parser.parse_args()
    outcomes = asyncio.run(run(given.shares, given.embeddings_url, given.embeddings_model))
    rows = [
        (
            one.model,
            f"{one.mean:.2f} ± {one.deviation:.2f}",
            f"{sum(map(bool, one.irrelevant[: len(_IRRELEVANT)]))} of {len(_IRRELEVANT)}",
            f"{sum(map(bool, one.irrelevant[len(_IRRELEVANT) :]))} of {len(_LATER_IRRELEVANT)}",
            f"{one.found} of {len(_RELEVANT)}",
            f"{one.given / len(_RELEVANT):.1f}",
            f"{one.impersonal} of {len(_IMPERSONAL)}",
        )
        for one in outcomes
    ]
    heading = (
        *("model", "unrelated texts", "irrelevant with a memory", "the same, later list", "answers found"),
        *("memories for a question", "answers found, impersonal"),
    )
    show("Models of different ranges", heading, rows)


if __name__ == "__main__":
    main()
