"""Several turns at once: each ends as it would alone, and none suffers from another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import psycopg
import pytest

from keepsake.store.turns import DueTurn
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.turns.extract_batch import extract_batch, group_by_order
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene

CRASH = """
create function public.crash() returns trigger language plpgsql as $$
begin
  if strpos(new.memory_text, 'Linz') > 0 then raise exception 'crash'; end if;
  return new;
end $$;
create trigger crash before insert on public.user_memory for each row execute function public.crash();
"""


class Crowd:
    """People who each have a conversation of their own."""

    def __init__(self, scene: Scene, count: int) -> None:
        self.scene = scene
        self.people = [scene.people.person(f"Ada{number}") for number in range(count)]
        self.chats = [scene.people.conversation(person) for person in self.people]

    async def say(self, texts: Sequence[str]) -> list[DueTurn]:
        """Let each of the first say one of the texts, and announce all."""
        due = []
        for person, chat, text in zip(self.people, self.chats, texts, strict=False):
            message = self.scene.says(text, person=person, chat=chat)
            await chat_send(self.scene.resources, conversation_id=chat, message_id=message)
            due.append(DueTurn(chat, message))
        return due

    def told(self) -> list[list[str]]:
        """What is remembered of each."""
        return [self.scene.told(person) for person in self.people]


def row(scene: Scene, turn: DueTurn) -> dict[str, Any]:
    found = scene.row(turn.message_id)
    assert found
    return found


async def test_batch__each_ends_as_it_would_alone(scene: Scene) -> None:
    """Memories, an empty message, one without consent and one in a foreign language."""
    crowd = Crowd(scene, 5)
    scene.db.run("update public.conversations set profile_id = null where id = %s", (crowd.chats[2],))
    texts = [
        "I live in Graz.",
        "Is it raining?",
        "I live in Oslo.",
        "Mieszkam w Krakowie i bardzo lubię tam mieszkać.",
        "I like ramen.",
    ]
    due = await crowd.say(texts)
    assert await extract_batch(scene.resources, due) == []
    assert crowd.told() == [["Lives in Graz"], [], [], [], ["Likes ramen"]]
    rows = [row(scene, turn) for turn in due]
    assert [(each["status"], each["reason"]) for each in rows] == [
        ("extracted", None),
        ("extracted", None),
        ("skipped", "no_profile"),
        ("extracted", "language"),
        ("extracted", None),
    ]
    assert [len(each["results"]) for each in rows] == [1, 0, 0, 0, 1]
    assert all(each["claim_token"] is None and each["next_attempt_at"] is None for each in rows)
    alone = [await scene.extract(turn.message_id, chat=turn.conversation_id) for turn in due]
    assert {each.status for each in alone} == {"duplicate"}


async def test_batch__takes_a_fraction_of_the_round_trips(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen messages without a statement take no more than one, but for the counting."""
    trips, wait = [0], psycopg.AsyncConnection.wait

    async def one_more(self: psycopg.AsyncConnection[Any], *given: Any, **more: Any) -> Any:
        trips[0] += 1
        return await wait(self, *given, **more)

    crowd = Crowd(scene, 16)
    due = await crowd.say(["Is it raining?"] * 16)
    await scene.tell("My name is Ada.")  # opens a connection
    monkeypatch.setattr(psycopg.AsyncConnection, "wait", one_more)
    await extract_batch(scene.resources, due)
    assert {row(scene, turn)["status"] for turn in due} == {"extracted"}
    assert trips[0] <= 8


async def test_one_that_fails__does_not_harm_the_others(scene: Scene) -> None:
    """Its attempt counts as a crash; theirs are done."""
    scene.db.run(CRASH)
    crowd = Crowd(scene, 3)
    due = await crowd.say(["I live in Graz.", "I live in Linz.", "I live in Oslo."])
    assert await extract_batch(scene.resources, due) == []
    assert crowd.told() == [["Lives in Graz"], [], ["Lives in Oslo"]]
    crashed = row(scene, due[1])
    assert (crashed["status"], crashed["attempts"], crashed["claim_token"]) == ("pending", 1, None)
    assert crashed["next_attempt_at"] > scene.clock.now()
    assert await extract_batch(scene.resources, due) == due, "what was attempted before goes alone, what is done too"


async def test_stopped__releases_every_claim(scene: Scene) -> None:
    """At whatever moment, a stop is no crash of a turn."""
    crowd = Crowd(scene, 4)
    await scene.resources.prepare_reading()
    for moment in (0, 1, 2, 5, 10, 20, 40, 80):
        due = await crowd.say(["I live in Graz."] * 4)
        work = asyncio.create_task(extract_batch(scene.resources, due))
        for _ in range(moment):
            await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        for turn in due:
            found = row(scene, turn)
            assert (found["status"], found["attempts"]) == ("pending", 0), moment


async def test_over_the_limit__is_left_for_later(scene: Scene) -> None:
    few = scene.resources.settings.model_copy(update={"extractions_per_minute": 1})
    object.__setattr__(scene.resources, "settings", few)
    crowd = Crowd(scene, 2)
    (first, other) = await crowd.say(["I live in Graz.", "I live in Oslo."])
    assert await extract_batch(scene.resources, [first, other]) == []
    (second,) = await Crowd.say(crowd, ["I like ramen."])
    assert await extract_batch(scene.resources, [second]) == [second]
    assert row(scene, second)["status"] == "pending"


async def test_over_the_limit__counts_only_what_is_extracted(scene: Scene) -> None:
    """What is left is counted when it is extracted alone, and not twice."""
    few = scene.resources.settings.model_copy(update={"extractions_per_minute": 2})
    object.__setattr__(scene.resources, "settings", few)
    crowd = Crowd(scene, 1)
    crowd.chats += [scene.people.conversation(crowd.people[0]) for _ in range(2)]
    crowd.people *= 3
    due = await crowd.say(["I live in Graz."] * 3)
    assert await extract_batch(scene.resources, due) == due
    assert scene.db.value("select value from keepsake.counters where name = 'extractions'") == 0
    (claimed, *_) = due
    assert await extract_batch(scene.resources, [claimed]) == []
    assert await extract_batch(scene.resources, [claimed]) == [claimed]
    assert scene.db.value("select value from keepsake.counters where name = 'extractions'") == 1


async def test_consent_withdrawn_while_it_is_read__nothing_is_written(scene: Scene) -> None:
    """The transaction that writes reads the choices of everybody again, under their locks."""
    crowd = Crowd(scene, 6)
    due = await crowd.say(["I live in Graz."] * 6)
    withdrawing = asyncio.create_task(asyncio.to_thread(_withdraw, scene, crowd.people[3]))
    assert await extract_batch(scene.resources, due) == []
    await withdrawing
    states = [row(scene, turn) for turn in due]
    for number, state in enumerate(states):
        is_withdrawn = state["status"] == "skipped"
        assert crowd.told()[number] == ([] if is_withdrawn else ["Lives in Graz"])
        assert not is_withdrawn or number == 3


def _withdraw(scene: Scene, person: Account) -> None:
    scene.db.run(
        "insert into public.user_memory_settings (user_id, building) values (%s, false)"
        " on conflict (user_id) do update set building = false",
        (person.user_id,),
    )


@pytest.mark.parametrize("rounds", [3])
async def test_overlapping_batches__do_not_block_each_other(scene: Scene, rounds: int) -> None:
    """The same people in several batches at once, in other orders: no deadlock, each turn once."""
    crowd = Crowd(scene, 8)
    batches: list[list[DueTurn]] = []
    for number in range(rounds):
        due = await crowd.say([f"I have been to city number {number}."] * 8)
        batches.append(due if number % 2 else due[::-1])
    left = await asyncio.gather(*(extract_batch(scene.resources, due) for due in batches))
    assert left == [[]] * rounds
    assert {row(scene, turn)["status"] for due in batches for turn in due} == {"extracted"}
    twice = "select count(*) - count(distinct (source_message_id, memory_text)) from public.user_memory"
    assert scene.db.value(f"{twice} where source_message_id is not null") == 0


async def test_two_chats_of_one_person__in_overlapping_batches_do_not_block_each_other(
    scene: Scene, capsys: pytest.CaptureFixture[str]
) -> None:
    """The later turn locks memories again, after those of others: whoever does holds the lock of merges."""
    crowd = Crowd(scene, 6)
    first, second = crowd.chats, [scene.people.conversation(person) for person in crowd.people]
    await extract_batch(scene.resources, await crowd.say(["I live in Graz and work as a nurse."] * 6))
    batches: list[list[DueTurn]] = []
    for texts in (["I moved to Linz.", "I work as a baker now."], ["I work as a florist now.", "I moved to Oslo."]):
        due: list[DueTurn] = []
        for text, chats in zip(texts, (first, second), strict=True):
            crowd.chats = chats
            scene.clock.advance(seconds=1)
            due += await crowd.say([text] * 6)
        batches.append(due)
    left = await asyncio.gather(*(extract_batch(scene.resources, due) for due in batches))
    assert left == [[]] * 2
    assert {row(scene, turn)["status"] for due in batches for turn in due} == {"extracted"}
    written = capsys.readouterr()
    assert "one by one" not in written.out + written.err  # no batch failed as a whole, as after a deadlock
    homes = [[text for text in texts if text.startswith("Lives in ")] for texts in crowd.told()]
    assert all(len(texts) == 1 for texts in homes), homes


async def test_the_queue__works_what_waits_at_once(scene: Scene) -> None:
    """A job takes others with it, in the order of each conversation: a correction follows what it corrects."""
    crowd = Crowd(scene, 3)
    await crowd.say(["My favorite food is pizza."] * 3)
    scene.clock.advance(seconds=5)
    await crowd.say(["Actually it's ramen."] * 3)
    await scene.resources.queue.run_until_idle(
        20, concurrency=1
    )  # of two jobs at once, neither knows what the other has
    assert crowd.told() == [["Favorite food is ramen"]] * 3
    assert scene.db.value("select count(*) from keepsake.procrastinate_jobs") == 0


def test_groups__have_one_turn_of_a_conversation() -> None:
    """In the order of each conversation."""
    first, second = UUID(int=1), UUID(int=2)
    due = [DueTurn(chat, UUID(int=number)) for number, chat in enumerate([first, first, second, first], start=10)]
    groups = list(group_by_order(due))
    assert [[turn.message_id.int for turn in group] for group in groups] == [[10, 12], [11], [13]]
