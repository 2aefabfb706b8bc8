"""What a message changes of what was said before: memories that end, are corrected, or become doubtful."""

from __future__ import annotations

import re
from typing import Any

import pytest

from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.scene import Scene
from tests.rest.dump import rows_that_say

_ACTIVE = "select memory_text, doubted_at is not null as doubted from public.user_memory where status = 'active'"
_DATE = re.compile(r"(?:[A-Z][a-z]+day )?\d{1,2} [A-Z][a-z]+ \d{4}")
"""A date and its weekday, which follow from the day on which the test runs."""

# The messages, the texts that hold at the end, and those that may no longer hold.
CHANGES: list[tuple[list[str], set[str], set[str]]] = [
    (["My sister is called Anna", "oops I meant Hanna, not Anna"], {"Sister is named Hanna"}, set()),
    (
        ["I live in Austin", "we're in Denver now, moved two weeks ago"],
        {"Is in Denver", "Moved around [date]"},
        {"Lives in Austin"},
    ),
    (["I live in Austin", "we're in Denver now, the hotel is nice"], {"Is in Denver", "Lives in Austin"}, set()),
    (
        ["I'm moving to Berlin next spring", "berlin fell through, staying in Warsaw"],
        set(),
        set(),
    ),
    (["My dog's name is Bella", "bella died this morning"], {"Bella died on [date] (morning)"}, set()),
    (["We've got a dog, Bruno", "Bruno ist letzte Woche gestorben"], {"Bruno ist gestorben"}, set()),
    (
        ["my boyfriend Jake and I are going to Lisbon in May", "jake and i broke up"],
        {"Broke up with jake"},
        {"Is going to Lisbon in May with their boyfriend Jake"},
    ),
    (["my son Leo is 6", "Leo just turned 7"], {"Son Leo is 7 years old"}, set()),
    (["I have a fiat", "sold the fiat"], set(), set()),
    (["I drink coffee every morning", "cut out coffee completely"], set(), set()),
    (["I have a dog", "jk i dont have a dog lol"], set(), set()),
    (["I love sushi", "jk"], set(), set()),
    (["I love sushi", "jk, tell me about the weather"], {"Loves sushi"}, set()),
    (["My pronouns are she/her", "im using they/them now"], {"Pronouns are they/them"}, set()),
    (["my partner is Sam", "things with Sam ended"], set(), set()),
    (["my partner is Sam", "things with Kim ended"], {"Partner is named Sam"}, set()),
    (["I work at Tesco", "not at Tesco any more"], set(), set()),
    (["I'm pregnant", "actually im not pregnant, false alarm"], {"Is not pregnant, false alarm"}, set()),
    (["I live in Leeds", "i dont live in leeds"], {"Does not live in leeds"}, set()),
    (["I live in Leeds", "moved again lol"], set(), {"Lives in Leeds"}),
    (["I live in Leeds", "the office moved again"], {"Lives in Leeds"}, set()),
    (["I live in Leeds", "moved again lol", "I live in Leeds"], {"Lives in Leeds"}, set()),
    (["I live in Leeds", "moved again lol", "I live in York"], {"Lives in York"}, set()),
    (
        ["I take sertraline in the mornings", "doc moved me off the sertraline"],
        {"Doc moved them off the sertraline"},
        set(),
    ),
    (["I have two kids", "we just had our third!"], set(), {"Has two kids"}),
    (["I'm pregnant", "gave birth on sunday!"], {"Gave birth on [date]"}, set()),
    (
        ["My wife Hana is a nurse", "Hana is pregnant!", "My daughter Leila was born on Tuesday."],
        {"Wife Hana is a nurse", "Daughter is named Leila", "Daughter Leila was born on [date]"},
        set(),
    ),
    (["I own a bakery now", "I have a bakery"], {"Owns a bakery"}, set()),
    (["I work at Acme", "handed in my notice today"], {"Handed in their notice on [date]"}, {"Works at Acme"}),
    (["I'm vegan", "eating meat again"], set(), set()),
    (["my husband is a nurse", "my husband is a teacher now"], {"Husband is a teacher"}, set()),
    (["my husband works at Ikea", "my husband works at Aldi"], {"Husband works at Aldi"}, set()),
    (["I want to open my own bakery one day", "I own a bakery now"], {"Owns a bakery"}, set()),
    (["I'm learning to play the cello", "I play the cello every Sunday"], {"Plays the cello every Sunday"}, set()),
    (["I want to get a dog", "I have a dog named Miso"], {"Has a dog named Miso"}, set()),
    (["I live in Bergen", "I want to move to Oslo next year", "I moved to Oslo"], {"Lives in Oslo"}, set()),
    (["we want to buy a house", "we bought a house"], {"Bought a house"}, set()),
    (["I want to quit my job", "I left my job"], {"Left their job"}, set()),
    (
        ["I want to run a marathon next spring", "I want to run a marathon in the next spring"],
        {"Wants to run a marathon next spring"},
        set(),
    ),
]

# The messages, and what must all stay although the last one is close to it.
STAYS: list[tuple[list[str], set[str]]] = [
    (["my sister is 30", "my other sister is 25"], {"Sister is 30 years old", "Other sister is 25 years old"}),
    (["I work at Tesco on weekends", "I work at Aldi during the week"],
     {"Works at Tesco on weekends", "Works at Aldi during the week"}),
    (["I live in Oslo", "in the summer I live in Maine"], {"Lives in Oslo", "Lives in Maine in the summer"}),
    (["my favourite food is pizza", "my favourite food as a kid was fish fingers"],
     {"Favorite food is pizza", "Favorite food as a kid was fish fingers"}),
    (["I'm vegan", "I'm a vegetarian when I visit my parents"],
     {"Is vegan", "Is a vegetarian when they visit their parents"}),
    (["I live in Oslo", "my brother and I live in different cities"],
     {"Lives in Oslo", "Brother and they live in different cities"}),
    (["My wife Hana is a nurse", "Hana is pregnant!", "her sister had a baby"],
     {"Wife Hana is a nurse", "Hana is pregnant"}),
    (["my boyfriend lives in Rome", "my ex lives in Paris"], {"Boyfriend lives in Rome", "Ex lives in Paris"}),
    (["I eat breakfast every day", "I always skip breakfast when I'm stressed"],
     {"Eats breakfast every day", "Always skips breakfast when they are stressed"}),
    (["I work at Acme", "my brother just got laid off"], {"Works at Acme", "Brother just got laid off"}),
    (["I have a dog called Milo", "my neighbor sold the dog"], {"Has a dog named Milo"}),
    (["I live in Leeds", "should I move again?"], {"Lives in Leeds"}),
    (["I work at Acme", "if I quit my job I would travel"], {"Works at Acme"}),
    (["I drink coffee every morning", "did you know coffee beans are off the table now"],
     {"Drinks coffee every morning"}),
    (["My name is Daniel", "not now, thanks"], set()),
    (["I want to open a bakery", "my sister has a bakery"], {"Wants to open a bakery", "Sister has a bakery"}),
    (["I want to get a dog", "I'd have a dog if I had a garden"], {"Wants to get a dog"}),
    (["I live in Leeds", "I don't live in Leeds city centre"],
     {"Lives in Leeds", "Does not live in Leeds city centre"}),
    (["I'm vegan", "I'm not a vegan chef"], {"Is vegan", "Is not a vegan chef"}),
    (["I work at Acme", "I nearly quit my job"], {"Works at Acme", "Nearly quit their job"}),
    (["I want to move to New York", "I live in York"], {"Wants to move to New York", "Lives in York"}),
]  # fmt: skip


async def _said(scene: Scene, messages: list[str]) -> dict[bool, set[str]]:
    for message in messages:
        await scene.tell(message)
    rows: list[dict[str, Any]] = scene.db.all(_ACTIVE)
    found: dict[bool, set[str]] = {True: set(), False: set()}
    for row in rows:
        if not row["memory_text"].startswith("Name is "):
            found[row["doubted"]].add(_DATE.sub("[date]", row["memory_text"]))
    return found


@pytest.mark.parametrize("messages, active, doubted", CHANGES, ids=[" | ".join(one[0]) for one in CHANGES])
async def test_change__ends_corrects_or_casts_doubt(
    scene: Scene, messages: list[str], active: set[str], doubted: set[str]
) -> None:
    assert await _said(scene, messages) == {False: active, True: doubted}


@pytest.mark.parametrize("messages, active", STAYS, ids=[" | ".join(one[0]) for one in STAYS])
async def test_statement__replaces_nothing(scene: Scene, messages: list[str], active: set[str]) -> None:
    assert await _said(scene, messages) == {False: active, True: set()}


async def test_change__is_reported_and_undone_as_one_operation(scene: Scene) -> None:
    await scene.tell("I live in Leeds")
    told = await scene.tell("moved again lol")
    assert [(one.text, one.action) for one in told.memories] == [("Lives in Leeds", "doubted")]
    operation = scene.db.one(
        "select operation_id from keepsake.changes where reason like %s", ("%may no longer hold%",)
    )
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation["operation_id"],))
    assert await _said(scene, []) == {False: {"Lives in Leeds"}, True: set()}


async def test_a_doubted_memory__is_erased_with_its_changes(scene: Scene) -> None:
    await scene.tell("I live in Leeds")
    await scene.tell("moved again lol")
    number = scene.db.value("select memory_no from public.user_memory where doubted_at is not null")
    done = await erase_memories(scene.resources, scene.ada.identity, EraseRequest(memory_ids=[f"M-{number}"]))
    assert done.erased["public.user_memory"] == 1
    assert done.remaining is not None
    assert not any(done.remaining.values())
    assert rows_that_say(scene.db, ["Lives in Leeds"]) == {}


async def test_plan_that_came_true__is_history_and_comes_back_by_undo(scene: Scene) -> None:
    """It is kept, superseded by what came of it, with the reason."""
    await scene.tell("I want to open my own bakery one day")
    told = await scene.tell("I own a bakery now")
    assert [(one.text, one.action) for one in told.memories] == [("Owns a bakery", "superseded")]
    history = scene.db.one(
        "select o.status::text, n.memory_text from public.user_memory as o"
        " join public.user_memory as n on n.supersedes_id = o.id where o.memory_type = 'goal'"
    )
    assert history == {"status": "superseded", "memory_text": "Owns a bakery"}
    operation = scene.db.one(
        "select distinct operation_id from keepsake.changes where reason like %s", ("%has come true%",)
    )
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation["operation_id"],))
    assert await _said(scene, []) == {False: {"Wants to open their own bakery one day"}, True: set()}


async def test_change__in_another_persons_words_does_nothing(scene: Scene) -> None:
    bo = scene.people.person("Bo")
    await scene.tell("I live in Leeds")
    chat = scene.people.conversation(bo)
    await scene.tell("moved again lol", person=bo, chat=chat)
    assert (await _said(scene, []))[True] == set()
