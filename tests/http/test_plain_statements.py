"""Short statements that were once read wrongly, and others of their classes: names, pronouns, hobbies, endings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from keepsake.infra.models.local_embedder import LocalEmbedder
from keepsake.infra.resources import Resources
from tests.fixtures.resources import use_resources
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.http.test_neighbors_of_faults import Story, current, embedder  # noqa: F401 (a fixture)

STATED = {
    "my name is Bond. James Bond.": ["Name is James Bond"],
    "My name is Okafor, Ada Okafor.": ["Name is Ada Okafor"],
    "my name is Bond. I like James Bond movies": ["Name is Bond", "Likes James Bond movies"],
    "my hobbies are lockpicking and knitting": ["Enjoys lockpicking", "Enjoys knitting"],
    "My hobby is gardening.": ["Enjoys gardening"],
    "she/her btw": ["Pronouns are she/her"],
    "they/them, please": ["Pronouns are they/them"],
}
ENDED = [
    ("I drink green tea every morning.", "I drink milk.", "I stopped drinking milk"),
    ("I drink green tea.", "I eat meat.", "I stopped eating meat"),
    ("I work as a nurse.", "I play the piano.", "I don't play any more"),
    ("I drink green tea.", "I play the piano.", "I don't play it anymore"),
]


def texts(story: Story) -> list[str]:
    """What is shown as true."""
    return [row["memory_text"] for row in current(story.memories()).values()]


@pytest.mark.parametrize("said", STATED)
async def test_statement__is_stored_as_it_is_meant(functions: Functions, scene: Scene, said: str) -> None:
    story = Story(functions, scene)
    await story.tell(said)
    assert texts(story) == STATED[said]


async def test_pronouns__behind_somebody_else_are_not_the_author_s(functions: Functions, scene: Scene) -> None:
    story = Story(functions, scene)
    await story.tell("My cousin came out last week. she/her btw")
    assert not any(text.startswith("Pronouns") for text in texts(story))


@pytest.fixture
def resources_with_vectors(resources: Resources, embedder: LocalEmbedder) -> Resources:  # noqa: F811
    """The resources, with the local model."""
    return replace(resources, embedder=embedder)


@pytest.mark.parametrize("row", ENDED)
async def test_ending__is_of_what_it_names_alone(
    functions: Functions, scene: Scene, resources_with_vectors: Resources, row: tuple[str, str, str]
) -> None:
    stays, ends, said = row
    with use_resources(resources_with_vectors):
        story = Story(functions, scene)
        await story.tell(stays)
        [kept] = texts(story)
        await story.tell(ends)
        [ended] = set(texts(story)) - {kept}
        await story.tell(said)
    shown = texts(story)
    assert kept in shown
    assert ended not in shown
