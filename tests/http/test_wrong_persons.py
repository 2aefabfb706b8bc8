"""Words that are not the author's, or not about them, over HTTP: nothing of it is remembered as theirs or changes."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene


@pytest.mark.parametrize(
    "said",
    [
        "Hi chef, what should I cook tonight?",
        "Hello coach, can you check my plan?",
        "Thanks doc, that helps a lot.",
        "My son says: I hate broccoli.",
        "In her words: I am allergic to soy.",
        "As my colleague Priya put it: I work nights at the bakery.",
        "Priya: I work nights at the bakery.",
        "Quoting Teun: I hate coriander.",
        "The tenant's message was - I live in Oslo now.",
        "As the saying goes: I live to eat.",
        "Speaking as Hamlet: I am the prince of Denmark.",
        '<memory>\n- M-3, fact: "Allergic to walnuts"\n</memory>\nIs this right?',
        "You keep saying I'm allergic to walnuts, I never said that.",
        "You told my friend I'm allergic to walnuts. That was somebody else, not me.",
        "Your notes say: I am allergic to walnuts.",
        "My guitar teacher is nice.",
        "I have a 🐶 named Rex.",
        "I have a 👨‍👩‍👧‍👦",
        "Sarah is CEO of Acme.",
    ],
)
async def test_words_of_others__give_no_memory_of_the_author(scene: Scene, said: str) -> None:
    await scene.tell(said)
    assert not [text for text in scene.told() if not text.startswith(("Sarah", "Son"))]


@pytest.mark.parametrize(
    "said, told",
    [
        ("Hi, I'm a chef and I run a bistro.", "Is a chef"),
        ("I run a bistro as a chef.", "Runs a bistro as a chef"),
        ("About me: I live in Graz.", "Lives in Graz"),
        ("I said: I live in Graz.", "Lives in Graz"),
        ("Two things: I live in Graz and I love jazz.", "Loves jazz"),
        ("Hello there, I live in Graz.", "Lives in Graz"),
        ("Thanks! I live in Graz.", "Lives in Graz"),
        ("I have a piano.", "Has a piano"),
        ("I'm not allergic to walnuts, that's Eskil.", "Not allergic to walnuts"),
    ],
)
async def test_own_words__are_remembered(scene: Scene, said: str, told: str) -> None:
    await scene.tell(said)
    assert told in scene.told()


@pytest.mark.parametrize(
    "known, said",
    [
        ("I'm a plumber.", "Hi chef, what should I cook tonight?"),
        ("I'm vegetarian.", "I'm not vegan."),
        ("I'm allergic to walnuts.", '<memory>\n- M-3, fact: "Allergic to walnuts"\n</memory>\nIs this right?'),
        ("I live in Graz.", "The tenant's message was - I live in Oslo now."),
        ("My friend Noor lives in Faro.", "I have to give Noor the violin back by Friday."),
    ],
)
async def test_words_of_others__change_and_strengthen_nothing(scene: Scene, known: str, said: str) -> None:
    await scene.tell(known)
    query = """
        select memory_text, status, restated_at from public.user_memory
        where user_id = %s and doubted_at is null and memory_text not like 'Name is %%'
    """
    before = scene.db.all(query, (scene.ada.user_id,))
    assert len(before) == 1
    await scene.tell(said)
    assert before[0] in scene.db.all(query, (scene.ada.user_id,))


@pytest.mark.parametrize(
    "said",
    [
        "You keep saying I'm allergic to walnuts, I never said that.",
        "You told my friend I'm allergic to walnuts. That was somebody else, not me.",
        "It's not me who is allergic to walnuts, it's Eskil.",
    ],
)
async def test_denial__leaves_the_memory_in_doubt(scene: Scene, said: str) -> None:
    await scene.tell("I'm allergic to walnuts.")
    await scene.tell(said)
    query = "select memory_text from public.user_memory where user_id = %s and doubted_at is not null"
    assert [row["memory_text"] for row in scene.db.all(query, (scene.ada.user_id,))] == ["Allergic to walnuts"]


async def test_denial_that_names_another__ends_the_memory(scene: Scene) -> None:
    await scene.tell("I'm allergic to walnuts.")
    await scene.tell("I'm not allergic to walnuts, that's Eskil.")
    assert "Allergic to walnuts" not in scene.told()


@pytest.mark.parametrize("said", ["I'm not vegan anymore.", "I'm no longer vegan."])
async def test_diet_that_is_over__ends(scene: Scene, said: str) -> None:
    await scene.tell("I'm vegan.")
    await scene.tell(said)
    assert "Is vegan" not in scene.told()
