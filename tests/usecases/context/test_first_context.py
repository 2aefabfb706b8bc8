"""Fifty conversations: the first context follows what is new, and what was shown often pushes nothing out."""

from __future__ import annotations

from uuid import UUID

from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory
from tests.fixtures.scene import Scene

CONVERSATIONS = 50
IMPORTANT = ("Plays the {}", "Sold a {}", "Restores every {}")
THINGS = (
    "zither", "harp", "lute", "fiddle", "bassoon", "oboe", "tuba", "cornet", "bugle", "piccolo", "ocarina", "sitar",
    "banjo", "ukulele", "mandolin", "cello", "viola", "flute", "clarinet", "trombone",
)  # fmt: skip


async def ask(scene: Scene, text: str, *, chat: UUID | None = None) -> Injected:
    message = scene.says(text, chat=chat or scene.people.conversation(scene.ada))
    return await inject_memory(scene.resources, ContextRequest(chat or _chat_of(scene, message), message))


def _chat_of(scene: Scene, message: UUID) -> UUID:
    return UUID(str(scene.db.value("select conversation_id from public.messages where id = %s", (message,))))


def texts(injected: Injected) -> list[str]:
    return [one.memory.text for one in injected.chosen]


async def test_fifty_conversations__what_is_new_is_there_and_what_is_asked_for_is_found(scene: Scene) -> None:
    """With 300 memories: whatever was shown before, and in the same list where nothing is new."""
    important = [pattern.format(thing) for thing in THINGS for pattern in IMPORTANT]
    for number in range(300 - len(important) - CONVERSATIONS):
        scene.people.memory(scene.ada, f"Saw film number {number}", importance=1)
    for text in important:
        scene.people.memory(scene.ada, text, importance=2)
    for number in range(CONVERSATIONS):
        scene.clock.advance(days=1)
        new = f"Has been to town number {number}"
        scene.people.memory(scene.ada, new, importance=2, created_at=scene.clock.now())
        assert new in texts(await ask(scene, "Hello!")), f"conversation {number}"
    first = texts(await ask(scene, "Hello!"))
    scene.clock.advance(days=3)
    assert texts(await ask(scene, "Hello!")) == first
    scene.people.answers(scene.chat, "Hello!")
    for thing in THINGS:
        asked = texts(await ask(scene, f"Tell me about the {thing}", chat=scene.chat))
        assert {pattern.format(thing) for pattern in IMPORTANT} <= set(asked)


async def test_shown__is_not_used(scene: Scene) -> None:
    """Three openings leave no trace; one question does."""
    shown = scene.people.memory(scene.ada, "Lives in Graz", importance=2)
    for _ in range(3):
        assert "Lives in Graz" in texts(await ask(scene, "Hello!"))
    uses = "select reference_count, last_referenced_at from public.user_memory where id = %s"
    assert scene.db.one(uses, (shown,)) == {"reference_count": 0, "last_referenced_at": None}
    await ask(scene, "What is there to see in Graz?")
    assert scene.db.one(uses, (shown,)) == {"reference_count": 1, "last_referenced_at": scene.clock.now()}


async def test_first_message__is_the_first_of_the_conversation_whether_or_not_it_was_answered(scene: Scene) -> None:
    scene.people.memory(scene.ada, "Lives in Graz", importance=2)
    chat = scene.people.conversation(scene.ada)
    assert texts(await ask(scene, "Hello!", chat=chat)) == ["Lives in Graz"]
    scene.clock.advance(seconds=5)
    assert texts(await ask(scene, "Hello again!", chat=chat)) == []
    elsewhere = ContextRequest(scene.chat, user_id=scene.ada.user_id, user_message="Hello!")
    assert texts(await inject_memory(scene.resources, elsewhere)) == ["Lives in Graz"]
    assert texts(await inject_memory(scene.resources, elsewhere)) == []


async def test_boston__home_and_goal_before_likes(scene: Scene) -> None:
    for liked in ("knitting", "poker", "painting", "yoga", "karate"):
        scene.people.memory(scene.ada, f"Likes {liked}", subtype="preference", importance=2)
    scene.people.memory(scene.ada, "Lives in Boston", importance=2)
    scene.people.memory(scene.ada, "Wants to sail from Boston to Maine", memory_type="goal")
    scene.people.answers(scene.chat, "Hello!")
    asked = texts(await ask(scene, "What should I do in Boston with Anna?", chat=scene.chat))
    assert set(asked) == {"Lives in Boston", "Wants to sail from Boston to Maine"}
    assert "Lives in Boston" in texts(await ask(scene, "What is the weather like here?", chat=scene.chat))
