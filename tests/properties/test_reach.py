"""Merging with what a statement can touch decides as merging with everything known does."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

from hypothesis import given, note
from hypothesis import settings as limits
from hypothesis import strategies as st

from keepsake.domain.memory import Candidate, Memory, MemoryType, Subtype
from keepsake.domain.merging.decisions import Insert, Retract, Supersede
from keepsake.domain.merging.merge import merge
from keepsake.domain.merging.merge_scope import merge_scope
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import key_of
from keepsake.infra.database import Database, Profile
from keepsake.infra.settings import Settings
from keepsake.store import memories
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.support.memories import memory

DATA = Path(__file__).parents[2] / "bench" / "data"
LONG_AGO = datetime(2026, 1, 5, 12, tzinfo=UTC)
NOW = LONG_AGO + timedelta(days=300)
PEOPLE = 20
NAME = "fact|person|self|name"
"""The profile has given that memory already."""
_INSERT = """
insert into public.user_memory (user_id, profile_id, memory_text, memory_type, subtype, memory_key, value, entity_label,
  source, valid_from, created_at)
values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


def spoken(*files: str) -> list[list[str]]:
    """The turns of each case of these evaluations, in order."""
    cases = [json.loads(line) for file in files for line in (DATA / f"{file}.jsonl").read_text().splitlines()]
    return [[turn["text"] for turn in case.get("turns", [case])] for case in cases]


CLOSE = [
    ["My daughter Emma is 5.", "My daughter is 6 now."],
    ["My son's name is Leo.", "My daughter Emma lives in Oslo.", "My son is 4.", "my daughter is a nurse"],
    ["I don't like ramen.", "My favourite food is ramen."],
    ["I hate the color blue.", "my favorite color is blue"],
    ["I like jazz.", "My favorite music is jazz.", "I don't like jazz any more."],
    ["My girlfriend is called Mia.", "Mia and I broke up.", "I broke up with Mia"],
    ["I want to open my own bakery one day.", "I own a bakery now."],
    [
        "I'm learning to play the cello.",
        "I want to get a dog",
        "I have a dog named Miso",
        "I play the cello every Sunday.",
    ],
    ["I want to move to Oslo next year", "I want to get married", "I live in Oslo", "I'm married"],
]
"""What touches memories under other keys than its own."""
THOUGHTS = [
    ["Wonders whether a small bakery would pay in Porto", "Wonders whether a small bakery would really pay in Porto"],
    ["Keeps the letters of a friend in a tin box", "Keeps the letters of a friend in an old tin box"],
    ["Was once snowed in at an airport for three days", "Was once snowed in at an airport for four days"],
]
"""What a model may tell without a key, and then again in other words, or otherwise."""
CONTRADICTIONS = [*spoken("contradictions", "fresh_contradictions"), *CLOSE * 4]
SAYINGS = [turn for case in spoken("turns", "fresh_turns") for turn in case]


def known_after(said: Sequence[str]) -> list[Candidate]:
    """What is active after these turns, one after another."""
    active: dict[Memory, Candidate] = {}
    for days, text in enumerate(said):
        at = LONG_AGO + timedelta(days=days)
        for decision in merge(extract(text), list(active), said_at=at):
            if isinstance(decision, Supersede | Retract):
                active = {known: one for known, one in active.items() if known.id != decision.old_id}
            if isinstance(decision, Insert | Supersede | Retract) and (new := decision.candidate) is not None:
                more = {name: getattr(new, name) for name in ("type", "subtype", "key", "value", "entity_label")}
                active[memory(new.text, valid_from=at, **more)] = new
    return list(active.values())


def remember(db: Clone, person: Account, candidates: Sequence[Candidate], dice: random.Random) -> None:
    """Store these, some as the person edited them, which takes their key, and some as an import writes them."""
    rows = []
    taken = {c.key for c in candidates}
    for minutes, c in enumerate(one for one in candidates if one.key != NAME):
        source = dice.choice(("user", "import", *["llm_extraction"] * 8))
        key, value = (c.key, c.value) if source == "llm_extraction" else (None, None)
        if source == "import" and (known := key_of(c.text)) is not None:
            key, value = known
            if key != c.key and key in taken:  # an import leaves such a row out
                continue
            taken.add(key)
        at = LONG_AGO + timedelta(minutes=minutes)
        who = (person.user_id, person.profile_id)
        rows.append((*who, c.text, c.type, c.subtype, key, value, c.entity_label, source, at, at))
    with db.as_superuser() as connection, connection.cursor() as cursor:
        cursor.executemany(_INSERT, rows)


def thought(text: str) -> Candidate:
    """What a model found no key for."""
    return Candidate(MemoryType.FACT, Subtype.OTHER, text, text, 0.8)


def said_to(number: int) -> list[list[str]]:
    """The contradictions that one of the people lives through."""
    return CONTRADICTIONS[number::PEOPLE]


def a_turn() -> st.SearchStrategy[tuple[int, list[Candidate]]]:
    """Somebody, and what they say: something said before, or the contrary of it, or anything else."""

    def of(number: int) -> st.SearchStrategy[tuple[int, list[Candidate]]]:
        turns = st.one_of(st.sampled_from([*chain.from_iterable(said_to(number))]), st.sampled_from(SAYINGS))
        keyless = st.sampled_from([False, False, True])
        told = st.builds(_candidates, st.lists(turns, min_size=1, max_size=2), keyless=keyless)
        again = st.sampled_from([[thought(text)] for text in chain.from_iterable(THOUGHTS)])
        return st.tuples(st.just(number), st.one_of(told, told, told, again))

    return st.integers(0, PEOPLE - 1).flatmap(of)


def _candidates(turns: list[str], *, keyless: bool) -> list[Candidate]:
    """What the rules find; or the same as a model tells it that found no key."""
    found = [one for turn in turns for one in extract(turn)]
    if keyless:
        return [replace(one, key=None, value=None) for one in found if not one.retracts]
    return found


def test_reach__what_is_left_out_would_have_changed_nothing(db: Clone, people: People, settings: Settings) -> None:
    """Twenty people who said what stands in the evaluations, and any of its turns said to any of them."""
    dice = random.Random(1)  # noqa: S311 (the same in every run)
    everybody = [people.person("Ada") for _ in range(PEOPLE)]
    for number, person in enumerate(everybody):
        said = [*chain.from_iterable(case[:-1] for case in said_to(number)), *dice.sample(SAYINGS, 30)]
        remember(db, person, [*known_after(said), *(thought(texts[0]) for texts in THOUGHTS)], dice)
    database = Database(settings)
    left_out = []

    async def both(person: Account, candidates: list[Candidate]) -> tuple[list[Memory], list[Memory]]:
        user_id, profile_id = person.user_id, person.profile_id
        async with database.as_service(Profile.HOT) as conn:
            everything = await memories.active(conn, user_id=user_id, profile_id=profile_id)
            scope = merge_scope(candidates)
            asked = await memories.request_relevant(conn, scope, user_id=user_id, profile_id=profile_id)
            some = await asked.fetchall()
        return everything, some

    with asyncio.Runner() as runner:

        @given(a_turn())
        @limits(max_examples=300, deadline=None)
        def holds(turn: tuple[int, list[Candidate]]) -> None:
            number, candidates = turn
            everything, some = runner.run(both(everybody[number], candidates))
            left_out.append(len(some) / len(everything))
            note(f"{candidates}\nreached {[one.text for one in some]}")
            decided = merge(candidates, some, said_at=NOW)
            assert decided == merge(candidates, everything, said_at=NOW), "domain/merging/merge_scope.py must name more"

        try:
            holds()
        finally:
            runner.run(database.close())
    assert sum(left_out) / len(left_out) < 0.35, "so much is read that nothing is won"
