"""What remains of a dialogue in the database: a handful of the table that the pure functions are held to."""

from __future__ import annotations

from tests.domain.merging.dialogues import PARAPHRASE, SLOTS, TAKEN_BACK, TIME, TWO_DEVICES, Dialogue
from tests.fixtures.scene import Scene

_SOME: tuple[Dialogue, ...] = (
    PARAPHRASE[0],
    PARAPHRASE[3],
    SLOTS[4],
    SLOTS[9],
    TIME[1],
    TIME[2],
    TIME[4],
    TAKEN_BACK[5],
    TAKEN_BACK[7],
    TWO_DEVICES[0],
    TWO_DEVICES[2],
)


async def test_dialogues__leave_in_the_database_what_still_holds(scene: Scene) -> None:
    """Each told by somebody new; what was changed carries a reason."""
    for dialogue in _SOME:
        person = scene.people.person("Bo")
        chat = scene.people.conversation(person)
        scene.clock.at = max(at for _, at in dialogue.turns())  # a date after now would count as now
        for text, at in dialogue.turns():
            await scene.extract(scene.says(text, person=person, chat=chat, created_at=at), chat=chat)
        assert set(scene.told(person)) == dialogue.active, str(dialogue)
    assert not scene.db.all("select from keepsake.changes where actor = 'rules' and coalesce(reason, '') = ''")


async def test_dates__are_those_of_the_person_not_of_the_server(scene: Scene) -> None:
    """At half past eleven in the evening of the 21st in UTC it is the 22nd in Tokyo."""
    person = scene.people.person("Kei", timezone="Asia/Tokyo")
    chat = scene.people.conversation(person)
    late = TIME[0].turns()[0][1].replace(hour=23, minute=30)
    message = scene.says("I'm getting married tomorrow.", person=person, chat=chat, created_at=late)
    await scene.extract(message, chat=chat)
    assert scene.told(person) == ["Is getting married on Monday 23 November 2026"]
