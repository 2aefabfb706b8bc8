"""What a turn leaves beside its memories: its number, the places that it mentions, and the volume of the day."""

from __future__ import annotations

from tests.fixtures.scene import Scene


async def test_turns__are_numbered(scene: Scene) -> None:
    """A person's message begins a turn, the answer belongs to it; a number that the host writes stays."""
    await scene.tell("I live in Graz.")
    scene.people.answers(scene.chat, "Nice!")
    scene.clock.advance(minutes=1)
    await scene.tell("I like ramen.")
    await scene.extract(scene.says("I like curry.", turn_index=7))
    numbers = scene.db.all(
        "select memory_text, turn_index from public.user_memory where turn_index is not null order by memory_no"
    )
    assert [tuple(row.values()) for row in numbers] == [("Lives in Graz", 1), ("Likes ramen", 2), ("Likes curry", 7)]
    assert scene.db.value("select turn_index from public.messages where role = 'assistant'") == 1


async def test_places__mentioned_by_name_are_counted(scene: Scene) -> None:
    """Once a message, by whole words, and undone with the turn."""
    place = scene.db.value(
        "insert into public.user_memory_places (user_id, profile_id, place_id, name)"
        " values (%s, %s, 'cafe', 'Blue Bottle Cafe') returning id",
        (scene.ada.user_id, scene.ada.profile_id),
    )
    await scene.tell("Let's meet at the blue bottle cafe, I like ramen.")
    await scene.tell("A blue bottle is no cafe.")
    mentions = scene.db.all("select place, source_message_id, conversation_id from public.user_memory_place_mentions")
    assert [(row["place"], row["conversation_id"]) for row in mentions] == [(place, scene.chat)]
    operation = scene.db.value("select operation_id from keepsake.extractions where operation_id is not null")
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation,))
    assert scene.db.value("select count(*) from public.user_memory_place_mentions") == 0


async def test_volume__is_known_by_person_and_day(scene: Scene) -> None:
    other = scene.people.person("Ben")
    await scene.tell("I live in Graz.")
    await scene.tell("Is it raining?")
    with scene.db.as_service() as connection:
        row = connection.execute(
            "select sum(turns) as turns, sum(extracted) as extracted, sum(memories) as memories"
            " from keepsake.volume_by_day where user_id = %s",
            (scene.ada.user_id,),
        ).fetchone()
        assert row == {"turns": 2, "extracted": 2, "memories": 2}
        nobody = connection.execute(
            "select sum(turns) as turns from keepsake.volume_by_day where user_id = %s", (other.user_id,)
        ).fetchone()
        assert nobody == {"turns": 0}


async def test_name__is_as_important_in_a_profile_as_when_it_is_said(scene: Scene) -> None:
    told = scene.people.person("Ben")
    chat = scene.people.conversation(told)
    scene.db.run("delete from public.user_memory where user_id = %s", (told.user_id,))
    await scene.tell("My name is Ben.", person=told, chat=chat)
    names = scene.db.all(
        "select source, importance from public.user_memory where memory_key = 'fact|person|self|name' order by 1"
    )
    assert [tuple(row.values()) for row in names] == [("rule_extraction", 3), ("seeded_profile", 3)]
