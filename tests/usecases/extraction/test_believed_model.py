"""A capable model is believed: its words and dates are stored in every language, and no rule is needed beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.extraction.result import Extraction
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good")


def statement(text: str, quote: str, **more: Any) -> dict[str, Any]:
    """One memory as the prompt asks for it."""
    plain = {
        "relation": "new",
        "numbers": [],
        "type": "fact",
        "about": "self",
        "attribute": "",
        "value": "",
        "when": "",
    }
    return {**plain, "text": text, "quote": quote, "importance": 1, "entity": None, "astro_context": None, **more}


async def read(scene: Scene, model: ModelServer, said: str, *memories: dict[str, Any], **more: Any) -> Extraction:
    """Say something that the model answers so."""
    scene.clock.advance(minutes=1)
    reply = {"message_language": "en", "memories": list(memories), "todos": [], "forget": [], **more}
    model.script.then({"content": json.dumps(reply)})
    return await scene.tell(said)


def shown(model: ModelServer) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(model.script.chats[-1]["messages"][1]["content"])
    return found


def number_of(model: ModelServer, text: str) -> int:
    """The number under which the model was last shown a memory or a to-do."""
    lines = [*shown(model).get("known", ()), *shown(model).get("open_todos", ())]
    return next(int(line.partition(": ")[0]) for line in lines if text in line)


async def test_free_wording__is_stored_as_the_model_says_it(scene: Scene, model: ModelServer) -> None:
    await read(scene, model, "my brother gene is 74 and lives in duluth", statement("Brother Gene is 74", "gene is 74"))
    said = "doctor says he can't go back to living alone"
    text = "Brother Gene needs someone with him, cannot live alone any more"
    await read(scene, model, said, statement(text, "he can't go back to living alone", about="brother gene"))
    assert scene.told() == ["Brother Gene is 74", text]
    assert shown(model)["before"] == ["my brother gene is 74 and lives in duluth"]


@pytest.mark.parametrize(
    "language, said, text",
    [
        ("sv", "Jag bor i Uppsala.", "Bor i Uppsala"),
        ("nl", "Ik heb me verhuisd naar Gent.", "Is verhuisd naar Gent"),
        ("es", "Vivo en Madrid desde 2016.", "Vive en Madrid desde 2016"),
        ("hr", "Živim u Splitu.", "Živi u Splitu"),
        ("zh", "我住在上海", "住在上海"),
    ],
)
async def test_another_language__is_stored_unchanged(
    scene: Scene, model: ModelServer, language: str, said: str, text: str
) -> None:
    await read(scene, model, said, statement(text, said.rstrip(".")), message_language=language)
    assert scene.told() == [text]


@pytest.mark.parametrize(
    "language, first, said, text, about",
    [
        ("en", "Sister is 30", "my other sister is 25, she's a nurse", "Has another sister who is 25", "sister"),
        ("en", "Sister is 30", "my other sister is 25", "Has another sister who is 25", "other sister"),
        ("en", "Sister is 30", "my other sister is 25", "Has another sister who is 25", "my other sister"),
        ("en", "Brother is 30", "i've got another brother, he's 25", "Has another brother who is 25", "brother"),
        ("de", "Schwester ist 30", "meine andere Schwester ist 25", "Hat eine andere, die 25 ist", "Schwester"),
        ("de", "Schwester ist 30", "meine andere Schwester ist 25", "Hat eine andere, die 25 ist", "andere Schwester"),
    ],
)
async def test_another_relative__leaves_what_is_known_of_the_first(
    scene: Scene, model: ModelServer, *, language: str, first: str, said: str, text: str, about: str
) -> None:
    age = {"type": "relationship", "attribute": "age"}
    told, kin = f"{'My' if language == 'en' else 'Meine'} {first}.", first.partition(" ")[0]
    await read(scene, model, told, statement(first, first, value="30", about=kin, **age), message_language=language)
    await read(scene, model, said, statement(text, said, value="25", about=about, **age), message_language=language)
    assert scene.told() == [first, text]


async def test_a_name_of_a_film__counts_only_where_the_model_noted_something(scene: Scene, model: ModelServer) -> None:
    await read(scene, model, "My name is Inigo Montoya. You killed my father. Prepare to die.")
    before = set(scene.people.memories(scene.ada))
    assert not any("Inigo" in text for text in before)
    likes = statement("Likes old films", "I like old films")
    await read(scene, model, "My name is Grace. I like old films.", likes)
    assert set(scene.people.memories(scene.ada)) - before == {"Likes old films", "Name is Grace"}


async def test_a_date_of_the_model__is_touched_by_nothing(scene: Scene, model: ModelServer) -> None:
    day = scene.clock.now().date()
    text = f"Was on the last night shift; starts by day on {day.isoformat()}"
    await read(scene, model, "last night shift is over, days from today", statement(text, "last night shift is over"))
    assert scene.told() == [text]


@pytest.mark.parametrize(
    "text, quote, about, reason",
    [
        ("Is a surgeon", "a surgeon", "self", "other_subject"),
        ("Wife Helen is a surgeon", "my wife's a surgeon", "wife helen", "invented_name"),
        ("Wife has been a surgeon for 12 years", "my wife's a surgeon", "wife", "invented_number"),
        ("Wife is a surgeon since 2019-04-01", "my wife's a surgeon", "wife", "invented_date"),
        ("Does not do the cooking", "i do all the cooking", "self", "negation"),
        ("Wife does all the cooking", "do all the cooking", "wife", "other_subject"),
        ("Lives in a castle", "i do all the cooking", "self", "ungrounded"),
        ("Wife is a surgeon", "my wife works as a surgeon", "wife", "invented_quote"),
    ],
)
async def test_what_the_message_contradicts__is_refused_and_no_rule_fills_in(
    *, scene: Scene, model: ModelServer, text: str, quote: str, about: str, reason: str
) -> None:
    await read(scene, model, "my wife's a surgeon so i do all the cooking", statement(text, quote, about=about))
    assert scene.told() == []
    assert scene.db.one("select dropped from keepsake.extractions")["dropped"] == {reason: 1}


async def test_one_statement__ends_several_memories(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Lives with Ellen")
    scene.people.memory(scene.ada, "Is going to Lisbon with Ellen in May")
    await read(scene, model, "Ellen and I have plans")
    numbers = [number_of(model, "Lives with Ellen"), number_of(model, "Lisbon")]
    said = "Ellen died on Sunday"
    await read(scene, model, said, statement("Ellen died", said, relation="ends", numbers=numbers, about="wife ellen"))
    assert "Lives with Ellen" not in scene.told()
    assert "Is going to Lisbon with Ellen in May" not in scene.told()


async def test_a_joke__ends_what_was_never_true(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Is allergic to mondays")
    said = "i was joking about being allergic to mondays"
    await read(scene, model, said, statement("", said, relation="never_true", numbers=[1]))
    assert scene.told() == []
    reasons = scene.db.all("select reason from keepsake.changes where action = 'update'")
    assert any("never true" in row["reason"] for row in reasons)


async def test_a_number_without_a_connection__is_kept_as_new(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Wears glasses since school")
    said = "I'm allergic to penicillin"
    proposed = statement("Is allergic to penicillin", said, relation="replaces", numbers=[1], attribute="allergy")
    await read(scene, model, said, proposed)
    assert sorted(scene.told()) == ["Is allergic to penicillin", "Wears glasses since school"]


async def test_todos__are_opened_and_closed_in_any_language(scene: Scene, model: ModelServer) -> None:
    todo = {"action": "open", "text": "Frank anrufen", "number": None, "due": "", "quote": "Ich muss Frank anrufen"}
    await read(scene, model, "Ich muss Frank anrufen.", message_language="de", todos=[todo])
    assert [row["todo_text"] for row in scene.db.all("select todo_text from public.user_memory_todos")] == [
        "Frank anrufen"
    ]
    done = {"state": "done", "number": 1}  # without a schema, a model may call it so, and need not repeat the text
    await read(scene, model, "Hab Frank erreicht!", message_language="de", todos=[done])
    assert scene.db.one("select status from public.user_memory_todos")["status"] == "done"


async def test_forget__forgets_the_memories_that_the_message_names(scene: Scene, model: ModelServer) -> None:
    scene.people.memory(scene.ada, "Takes lithium")
    scene.people.memory(scene.ada, "Likes figs")
    await read(scene, model, "bitte erwähne nie wieder lithium", message_language="de")
    await read(scene, model, "und das lithium auch nicht", message_language="de", forget=[number_of(model, "lithium")])
    assert scene.told() == ["Likes figs"]


async def test_rules__add_an_allergy_and_nothing_else(scene: Scene, model: ModelServer) -> None:
    await read(scene, model, "I'm allergic to nuts. I live in Graz and I work at Tesco.")
    assert scene.told() == ["Allergic to nuts"]


async def test_what_adds_to_a_memory__stands_in_its_place_whatever_its_key(scene: Scene, model: ModelServer) -> None:
    dog = {"type": "relationship", "attribute": "pet"}
    await read(scene, model, "I have a dog.", statement("Has a dog", "I have a dog", value="dog", **dog))
    named = statement(
        "Has a dog named Truss",
        "Truss is the dog",
        relation="adds",
        numbers=[1],
        about="dog truss",
        value="Truss",
        **dog,
    )
    await read(scene, model, "Truss is limping. (Truss is the dog.)", named)
    assert scene.told() == ["Has a dog named Truss"]
    old = "select old.memory_text from user_memory as new join user_memory as old on old.id = new.supersedes_id"
    assert scene.db.value(old) == "Has a dog"


async def test_a_todo_without_a_quote__is_noted(scene: Scene, model: ModelServer) -> None:
    todos = [{"text": "Call Frank on Monday"}, {"due": "2026-12-01"}]
    await read(scene, model, "I have to call Frank on Monday.", todos=todos)
    assert scene.db.value("select todo_text from user_memory_todos") == "Call Frank on Monday"
    assert scene.db.one("select dropped from keepsake.extractions")["dropped"] == {"todo_empty": 1}


async def test_the_authors_name_and_the_day_of_the_message__are_known(scene: Scene, model: ModelServer) -> None:
    day = scene.clock.now().date().isoformat()
    text = f"Cousin Mira flew in without telling Ada ({day})"
    await read(
        scene, model, "my cousin Mira flew in without telling me", statement(text, "Mira flew in", about="cousin")
    )
    assert scene.told() == [text]
