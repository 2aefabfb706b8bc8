"""The context for an answer: whose memories, why none, what is kept about it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from keepsake.errors import NotFound
from keepsake.infra.resources import Resources
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene


async def inject(
    scene: Scene, text: str = "What do I like to eat?", *, person: Account | None = None, **wish: Any
) -> Injected:
    """Ask for the context of a message somebody just saved."""
    chat = wish.pop("chat", scene.chat)
    message = scene.says(text, person=person, chat=chat)
    return await inject_memory(scene.resources, ContextRequest(chat, message, **wish))


def ids(injected: Injected) -> list[UUID]:
    return [one.memory.id for one in injected.chosen]


async def test_what_the_message_asks_for__is_in_the_context_with_its_ids(scene: Scene) -> None:
    (memory,) = (await scene.tell("My favourite food is ramen.")).memories
    injected = await inject(scene)
    assert memory.id in ids(injected)
    assert memory.text in injected.context
    assert memory.ref in injected.context
    assert injected.token_count == scene.resources.count_tokens(injected.context)


async def test_superseded__only_the_new_one_is_in_the_context(scene: Scene) -> None:
    await scene.tell("My favourite food is pizza.")
    await scene.tell("Actually it's ramen.")
    context = (await inject(scene)).context
    assert "ramen" in context
    assert "pizza" not in context


async def test_doubted__is_left_out_unless_the_message_asks_for_it(scene: Scene) -> None:
    await scene.tell("I live in Leeds")
    await scene.tell("I'm vegan")
    await scene.tell("moved again lol")
    assert "Leeds" not in (await inject(scene, "What should I cook tonight?")).context
    (line,) = [one for one in (await inject(scene, "Do I live in Leeds?")).context.splitlines() if "Leeds" in one]
    assert "may no longer hold" in line


async def test_use__is_counted_and_kept(scene: Scene) -> None:
    (memory,) = (await scene.tell("My favourite food is ramen.")).memories
    injected = await inject(scene)
    row = scene.db.one("select * from public.user_memory where id = %s", (memory.id,))
    assert (row["reference_count"], row["last_referenced_at"]) == (1, scene.clock.now())
    kept = scene.db.one("select * from keepsake.injections where id = %s", (injected.injection_id,))
    (name,) = scene.db.all("select id from public.user_memory where memory_text = 'Name is Ada'")
    assert kept["memory_ids"] == list(injected.memory_ids) == [*ids(injected), name["id"]]
    shown_only = scene.db.value("select reference_count from public.user_memory where id = %s", (name["id"],))
    assert shown_only == 0, "the name was not asked for"
    assert (kept["token_count"], kept["memory_count"]) == (injected.token_count, len(injected.chosen))
    assert (kept["user_id"], kept["profile_id"]) == (scene.ada.user_id, scene.ada.profile_id)


async def test_use__is_no_change_in_the_record(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    before = scene.db.value("select count(*) from keepsake.changes")
    await inject(scene)
    assert scene.db.value("select count(*) from keepsake.changes") == before


async def test_forty_at_once__each_get_their_context(scene: Scene) -> None:
    (memory,) = (await scene.tell("My favourite food is ramen.")).memories
    answers = await asyncio.gather(*(inject(scene) for _ in range(40)))
    assert all("ramen" in answer.context for answer in answers)
    assert 1 <= scene.db.value("select reference_count from public.user_memory where id = %s", (memory.id,)) <= 40


async def test_a_memory_being_changed__holds_no_answer_up(scene: Scene) -> None:
    """The use goes uncounted instead: no answer waits for a lock, and none can be part of a deadlock."""
    (memory,) = (await scene.tell("My favourite food is ramen.")).memories
    with scene.db.as_service() as changing:
        changing.execute("update public.user_memory set pinned = true, importance = 3 where id = %s", (memory.id,))
        assert "ramen" in (await asyncio.wait_for(inject(scene), 60)).context
    assert scene.db.value("select reference_count from public.user_memory where id = %s", (memory.id,)) == 0
    assert "ramen" in (await inject(scene)).context
    assert scene.db.value("select reference_count from public.user_memory where id = %s", (memory.id,)) == 1


async def test_a_feeling__is_gone_after_six_hours_and_a_dog_is_there_after_a_year(scene: Scene) -> None:
    await scene.tell("I feel exhausted today.")
    await scene.tell("I have a dog named Rex.")
    assert "xhausted" in (await inject(scene, "I feel exhausted, and Rex is a handful of a dog")).context
    scene.clock.advance(hours=6, minutes=5)
    assert "xhausted" not in (await inject(scene, "Why do I feel exhausted?")).context
    scene.clock.advance(days=365)
    assert "Rex" in (await inject(scene, "What is my dog called?")).context


async def test_paused__still_gets_memories(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(building=False)
    assert "ramen" in (await inject(scene)).context


@pytest.mark.parametrize(
    "change, reason",
    [
        ("insert into public.user_memory_settings (user_id, enabled) values (%(user)s, false)", "disabled"),
        ("update public.conversations set profile_id = null where id = %(chat)s", "no_profile"),
        ("update public.conversations set memory_enabled = false where id = %(chat)s", "conversation_off"),
        ("update public.conversations set mode = 'swiss' where id = %(chat)s", "swiss_off"),
        ("update public.user_profile_list set is_primary = false where user_id = %(user)s", "not_primary"),
    ],
)
async def test_not_allowed__has_no_memories_but_date_and_name(scene: Scene, change: Any, reason: str) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.db.run(change, {"user": scene.ada.user_id, "chat": scene.chat})
    injected = await inject(scene, user_name="Ada Lovelace")
    assert (injected.chosen, list(injected.memory_ids), injected.reason) == ((), [], reason)
    assert "ramen" not in injected.context
    assert f"Now: {scene.clock.now():%A, %Y-%m-%d}" in injected.context
    assert ('"Ada Lovelace"' if reason == "no_profile" else '"Ada"') in injected.context
    assert injected.injection_id is not None


async def test_an_answer__gets_none(scene: Scene) -> None:
    answer = scene.people.answers(scene.chat, "Ramen, I think.")
    injected = await inject_memory(scene.resources, ContextRequest(scene.chat, answer))
    assert (injected.context, injected.reason, injected.injection_id) == ("", "not_a_user_message", None)


async def test_together__no_word_of_one_is_in_the_context_of_the_other(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    chat = scene.people.conversation(scene.ada, bob, mode="together")
    await scene.tell("My favourite food is quinceberry.", chat=chat)
    await scene.tell("My favourite food is ramen.", person=bob, chat=chat)
    for_bob = await inject(scene, "What is our favourite food?", person=bob, chat=chat)
    for_ada = await inject(scene, "What is our favourite food?", chat=chat)
    assert "quinceberry" in for_ada.context
    assert "quinceberry" not in for_bob.context
    assert "ramen" in for_bob.context


async def test_together__feelings_stay_out_where_others_read(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    await scene.tell("I feel exhausted today.")
    chat = scene.people.conversation(scene.ada, bob, mode="together")
    assert "xhausted" not in (await inject(scene, "I feel exhausted", chat=chat)).context


async def test_another_profile__has_none_of_this_ones_memories(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.db.run("update public.user_profile_list set is_primary = false where id = %s", (scene.ada.profile_id,))
    other = scene.people.profile(scene.ada.user_id, "Countess", is_primary=True)
    chat = scene.people.conversation(scene.ada, memory=False)
    scene.db.run("update public.conversations set profile_id = %s where id = %s", (other, chat))
    assert "ramen" not in (await inject(scene, chat=chat)).context


async def test_types_not_allowed__stay_out(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    scene.set(allowed_types="{goal}")
    assert "ramen" not in (await inject(scene)).context


async def test_a_message_about_to_be_saved__is_served_by_its_author_and_text(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    wish = ContextRequest(scene.chat, user_id=scene.ada.user_id, user_message="What should I eat, ramen?")
    assert "ramen" in (await inject_memory(scene.resources, wish)).context


async def test_somebody_who_takes_no_part__is_not_found(scene: Scene) -> None:
    eve = scene.people.person("Eve")
    with pytest.raises(NotFound):
        await inject_memory(scene.resources, ContextRequest(scene.chat, user_id=eve.user_id, user_message="Hi"))
    with pytest.raises(NotFound):
        await inject_memory(scene.resources, ContextRequest(scene.chat, uuid4()))


async def test_a_person__gets_it_for_their_own_message_only(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    chat = scene.people.conversation(scene.ada, bob, mode="together")
    await scene.tell("My favourite food is ramen.", chat=chat)
    hers, his = scene.says("Food?", chat=chat), scene.says("Food?", person=bob, chat=chat)
    wish = ContextRequest(chat, hers)
    assert "ramen" in (await inject_memory(scene.resources, wish, person=scene.ada.identity)).context
    for message, person in ((hers, bob), (his, scene.ada)):
        with pytest.raises(NotFound):
            await inject_memory(scene.resources, ContextRequest(chat, message), person=person.identity)
    with pytest.raises(NotFound):
        await inject_memory(scene.resources, ContextRequest(scene.chat, hers), person=scene.ada.identity)


async def test_limits__can_only_be_lowered(scene: Scene) -> None:
    for city in ("Graz", "Oslo", "Rome", "Bern", "Linz", "Wien", "Prag", "Riga", "Cork", "Nice", "Lyon", "Bonn"):
        scene.people.memory(scene.ada, f"Has been to {city} by train", source="user", importance=2)
    text = "Where have I been by train?"
    assert len((await inject(scene, text, max_memories=50, token_budget=9000)).chosen) <= 10
    assert len((await inject(scene, text, max_memories=2)).chosen) == 2
    assert (await inject(scene, text, max_memories=0)).chosen == ()
    small = await inject(scene, text, token_budget=90)
    assert 0 < small.token_count <= 90


async def test_the_control_arm__gets_nothing_and_is_kept(scene: Scene) -> None:
    await scene.tell("My favourite food is ramen.")
    settings = scene.resources.settings.model_copy(update={"control_share": 1.0})
    everyone: Resources = replace(scene.resources, settings=settings)
    message = scene.says("What do I like?")
    injected = await inject_memory(everyone, ContextRequest(scene.chat, message))
    assert (injected.chosen, injected.variant, injected.reason) == ((), "control", "control")
    assert "ramen" not in injected.context
    assert (
        scene.db.value("select variant from keepsake.injections where id = %s", (injected.injection_id,)) == "control"
    )


async def test_history__is_the_last_twenty_messages_and_the_summary(scene: Scene) -> None:
    for number in range(25):
        scene.clock.advance(seconds=1)
        scene.says(f"Message {number}")
    scene.db.run(
        "insert into public.conversation_summaries (conversation_id, summary) values (%s, 'So far.')", (scene.chat,)
    )
    scene.clock.advance(seconds=1)
    history = (await inject(scene, "The last one", history=True)).history
    assert history is not None
    assert [message.content for message in history.messages] == [
        *(f"Message {number}" for number in range(6, 25)),
        "The last one",
    ]
    assert history.summary == "So far."
    assert (await inject(scene)).history is None


@pytest.mark.parametrize(
    "timezone, shown", [("Europe/Berlin", "Europe/Berlin"), ("Mars/Olympus", "UTC"), (None, "UTC")]
)
async def test_time_zone__an_unknown_one_is_utc(scene: Scene, timezone: str | None, shown: str) -> None:
    scene.db.run("update public.user_profile_list set timezone = %s where id = %s", (timezone, scene.ada.profile_id))
    assert f"({shown})" in (await inject(scene)).context


@pytest.mark.parametrize("locale", ["de-AT", "de", "DE_at", "", "x", "nonsense"])
async def test_locale__words_are_found_in_its_language(scene: Scene, locale: str) -> None:
    scene.people.memory(scene.ada, "Erzählt den Kindern Geschichten", source="user", language="de")
    scene.db.run("update public.user_profile_list set locale = %s where id = %s", (locale, scene.ada.profile_id))
    scene.people.answers(scene.chat, "Ja?")
    scene.clock.advance(minutes=1)
    context = (await inject(scene, "Was ist mit den Kindern?")).context
    assert ("Geschichten" in context) is locale.lower().startswith("de")


async def test_a_persona__sees_what_is_for_it_or_for_all(scene: Scene) -> None:
    scene.people.memory(scene.ada, "Favorite song is Vesuvius", source="user", persona_id="muse", importance=2)
    muse = scene.people.conversation(scene.ada, persona_id="muse")
    coach = scene.people.conversation(scene.ada, persona_id="coach")
    assert "Vesuvius" in (await inject(scene, "What is my favorite song?", chat=muse)).context
    assert "Vesuvius" not in (await inject(scene, "What is my favorite song?", chat=coach)).context
