"""A turn costs the same few round trips to the database, however much is known of the person."""

from __future__ import annotations

from tests.fixtures.scene import Scene

MOST = {"Is it raining?": 7, "I like pizza.": 10, "I don't like pizza any more.": 11}
"""A turn with nothing in it, one that makes a memory, and one that takes the place of an older."""


async def test_round_trips__are_few_whatever_is_known(scene: Scene, round_trips: list[int]) -> None:
    """Counted, because a busy machine does not change it; among 200 memories as among none."""
    for known in (0, 200):
        for number in range(known):
            scene.people.memory(scene.ada, f"Likes dish {number}", memory_key=f"fact|person|self|likes|dish_{number}")
        await scene.tell("My name is Ada.")  # opens a connection
        for text, most in MOST.items():
            before = round_trips[0]
            made = await scene.tell(text)
            assert made.status == "extracted"
            assert bool(made.memories) == (text != "Is it raining?"), text
            assert round_trips[0] - before <= most, (known, text, round_trips[0] - before)
