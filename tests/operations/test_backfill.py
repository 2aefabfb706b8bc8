"""`keepsake backfill` reads old messages as far as their authors allow it, once, slowly, and says what stays unread."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

import keepsake.operations.backfill
from keepsake.errors import MisconfiguredError
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from keepsake.operations.backfill_report import Progress
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.model import API_KEY
from tests.fixtures.people import Account, People
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY
from tests.model_server.running import ModelServer

DISHES = ("ramen", "pizza", "curry", "tofu", "risotto", "paella", "gnocchi", "sushi", "falafel", "tacos")
EVERYBODY = Backfill()


class Stopped(Exception):
    """Somebody has pressed Ctrl-C."""


class Waiting:
    """Sleeps at once, and notes how long it should have been; ``stop`` ends the run at the first long wait.

    The clock also goes on by the time that the work before took, as every clock does: on a busy machine a minute is
    over after fewer seconds of waiting.
    """

    def __init__(self, clock: FixedClock, *, stop: bool = False) -> None:
        self.clock, self.stop = clock, stop
        self.seconds: list[float] = []
        self._slept_at = time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Advance the clock instead."""
        if seconds >= 1 and self.stop:
            raise Stopped
        self.seconds.append(seconds)
        worked, self._slept_at = time.monotonic() - self._slept_at, time.monotonic()
        self.clock.advance(seconds=worked + seconds)


def start_command(db: Clone, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start the command against a database, as an operator does from a shell."""
    given = {"DATABASE_URL": db.api_url, "SUPABASE_JWT_SECRET": JWT_SECRET, "SUPABASE_SECRET_KEY": SECRET_KEY}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    return subprocess.Popen(
        [sys.executable, "-m", "keepsake.cli", "backfill", *arguments],
        env=clean | given | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_command(db: Clone, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command until it ends."""
    command = start_command(db, *arguments, **environment)
    stdout, stderr = command.communicate(timeout=120)
    return subprocess.CompletedProcess(command.args, command.returncode, stdout, stderr)


def says_dishes(scene: Scene, person: Account, chat: UUID, count: int = len(DISHES)) -> list[UUID]:
    """Ten statements of a year ago, a day apart."""
    start = scene.clock.now() - timedelta(days=400)
    return [
        scene.says(f"I love {dish}.", person=person, chat=chat, created_at=start + timedelta(days=day))
        for day, dish in enumerate(DISHES[:count])
    ]


def ends(db: Clone) -> list[tuple[str, int]]:
    """How the messages ended, and in how many attempts at most."""
    rows = db.all("select status, max(attempts) as attempts from keepsake.extractions group by 1 order by 1")
    return [(row["status"], row["attempts"]) for row in rows]


def test_command__counts_reads_and_does_nothing_the_second_time(db: Clone, people: People, scene: Scene) -> None:
    """Everybody who consented, from a date; what may not be read is counted by its reason and left as it is."""
    ada, now = scene.ada, scene.clock.now()
    says_dishes(scene, ada, scene.chat, 3)
    late = people.conversation(ada, since=now - timedelta(days=30))
    scene.says("I live in Graz.", chat=late, created_at=now - timedelta(days=31))
    scene.says("I live in Lisbon.", chat=late, created_at=now - timedelta(days=29))
    scene.says("forget everything", created_at=now - timedelta(days=300))
    ben = people.person("Ben")
    scene.says("I live in Oslo.", person=ben, chat=people.conversation(ben, memory=False))

    counted = run_command(db, "--all", "--dry-run")
    assert counted.returncode == 0, counted.stderr
    assert counted.stdout.splitlines() == [
        "1 person, 4 messages to read by the rules.",
        "2 messages stay unread:",
        "  1 before_consent: said before `remember_since`, or before an erasure",
        "  1 command: a command of long ago, which is not carried out again",
    ]
    assert db.value("select count(*) from keepsake.extractions") == 0
    since = run_command(db, "--user", str(ada.user_id), "--since", str((now - timedelta(days=40)).date()), "--dry-run")
    assert since.stdout.startswith("1 person, 1 message to read")

    first = run_command(db, "--all")
    assert first.stdout.splitlines()[-1] == "4 of 4 messages read, 4 new memories", first.stderr
    assert first.stderr == ""
    assert scene.told() == ["Loves ramen", "Loves pizza", "Loves curry", "Lives in Lisbon"]
    valid = "select min(valid_from)::date from public.user_memory where memory_text = 'Loves ramen'"
    assert db.value(valid) == (now - timedelta(days=400)).date()
    assert scene.told(ben) == []
    again = run_command(db, "--all")
    assert again.stdout.splitlines()[0] == "1 person, 0 messages to read by the rules."
    assert again.stdout.splitlines()[-1] == "4 messages are finished already."
    assert ends(db) == [("extracted", 1)]


@pytest.mark.parametrize(
    "arguments, said",
    [
        ((), "Name a person with --user, or everybody with --all."),
        (("--all", "--user", "x"), "Name a person with --user, or everybody with --all."),
        (("--user", "ada@example.com"), "'ada@example.com' is not an id."),
        (("--all", "--since", "May"), "'May' is not a date."),
        (("--all", "--calls-per-minute", "0"), "It is at least 1."),
    ],
)
def test_command__refuses_what_it_does_not_understand(db: Clone, arguments: tuple[str, ...], said: str) -> None:
    refused = run_command(db, *arguments)
    assert refused.returncode != 0
    assert said in " ".join(refused.stderr.replace("│", " ").split())


async def test_a_person__is_read_at_half_their_rate_and_a_stopped_run_goes_on(scene: Scene) -> None:
    """The other half is left for what they write meanwhile; what was finished is not done again."""
    resources = replace(
        scene.resources, settings=scene.resources.settings.model_copy(update={"extractions_per_minute": 8})
    )
    says_dishes(scene, scene.ada, scene.chat)
    with pytest.raises(Stopped):
        await backfill(resources, EVERYBODY, print, sleep=Waiting(scene.clock, stop=True).sleep)
    assert len(scene.told()) == 4
    waiting = Waiting(scene.clock)
    scene.clock.advance(minutes=1)
    progress = await backfill(resources, EVERYBODY, print, sleep=waiting.sleep)
    assert (progress.done, progress.total) == (6, 6)
    assert [math.ceil(seconds / 60) for seconds in waiting.seconds] == [1]
    assert scene.told() == [f"Loves {dish}" for dish in DISHES]
    assert ends(scene.db) == [("extracted", 1)]


async def test_somebody_who_writes_meanwhile__is_read_on_in_the_next_minute(scene: Scene) -> None:
    """Where their rate limit is reached, no message is lost and none is done twice."""
    resources = replace(
        scene.resources, settings=scene.resources.settings.model_copy(update={"extractions_per_minute": 2})
    )
    says_dishes(scene, scene.ada, scene.chat, 2)
    for text in ("I live in Graz.", "I work as a nurse."):
        await replace(scene, resources=resources).extract(scene.says(text))
    waiting = Waiting(scene.clock)
    assert (await backfill(resources, EVERYBODY, print, sleep=waiting.sleep)).done == 2
    assert len(waiting.seconds) == 2
    assert {"Loves ramen", "Loves pizza"} <= set(scene.told())


async def test_everybody__somebody_with_many_messages_delays_nobody(
    people: People, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits for the next minute is read on after the first messages of all the others."""
    monkeypatch.setattr(keepsake.operations.backfill, "_PEOPLE_A_PAGE", 1)
    settings = scene.resources.settings.model_copy(update={"extractions_per_minute": 2, "worker_concurrency": 1})
    ben = people.person("Ben")
    ben_chat = people.conversation(ben, since=scene.clock.now() - timedelta(days=500))
    (first, first_chat), (second, second_chat) = sorted(
        [(scene.ada, scene.chat), (ben, ben_chat)], key=lambda one: one[0].user_id
    )
    says_dishes(scene, first, first_chat, 3)
    says_dishes(scene, second, second_chat, 1)
    waiting = Waiting(scene.clock)
    progress = await backfill(replace(scene.resources, settings=settings), EVERYBODY, print, sleep=waiting.sleep)
    assert progress.done == 4
    read = scene.db.all("select user_id from keepsake.extractions order by finished_at")
    assert [row["user_id"] for row in read] == [first.user_id, second.user_id, first.user_id, first.user_id]
    assert len(waiting.seconds) == 2


async def test_todos__of_long_ago_are_not_opened(scene: Scene) -> None:
    now = scene.clock.now()
    scene.says("I need to call the dentist.", created_at=now - timedelta(days=400))
    scene.says("I have to renew my passport.", created_at=now - timedelta(days=20))
    assert (await backfill(scene.resources, EVERYBODY, print, sleep=Waiting(scene.clock).sleep)).done == 2
    opened = scene.db.all("select todo_text, status from public.user_memory_todos")
    assert [(row["todo_text"], row["status"]) for row in opened] == [("Renew their passport", "open")]


@pytest.mark.parametrize(
    "progress, seconds, left",
    [
        (Progress(100, done=50), 30, ", less than a minute left"),
        (Progress(100, done=25), 60, ", about 3 minutes left"),
        (Progress(100_000, done=1_000), 600, ", about 16 hours left"),
        (Progress(4_000, min_seconds=8_000, done=30), 20, ", about 2 hours left"),
        (Progress(100, done=100), 30, ""),
        (Progress(100), 30, ""),
    ],
)
def test_progress__says_how_long_the_rest_takes(progress: Progress, seconds: float, left: str) -> None:
    """By what was read so far, and no less than the limits allow."""
    assert progress.line(seconds) == progress.line() + left


@pytest.fixture
def with_scripted_model(settings: Settings, model: ModelServer) -> Settings:
    """The scripted model finds the memories."""
    named = {
        "openai_base_url": model.url,
        "openai_api_key": API_KEY,
        "openai_extraction_model": "scripted",
        "model_trial": False,
        "model_patience_seconds": 86400.0,
    }
    return Settings.load(**{**settings.model_dump(exclude_unset=True), **named, "model_deadline_seconds": 30.0})


@pytest.fixture
async def asking(scene: Scene, with_scripted_model: Settings) -> AsyncIterator[Resources]:
    """The resources of a process that asks it."""
    built = Resources.build(with_scripted_model, clock=scene.clock)
    yield replace(built, readers=scene.resources.readers)
    await built.close()


async def test_a_model__is_asked_no_oftener_than_wanted(scene: Scene, asking: Resources, model: ModelServer) -> None:
    """Also where a reply cannot be used and it is asked once more."""
    waiting, lines = Waiting(scene.clock), list[str]()
    says_dishes(scene, scene.ada, scene.chat, 3)
    model.script.then({"content": "no JSON at all"})
    progress = await backfill(asking, Backfill(calls_per_minute=1), lines.append, sleep=waiting.sleep)
    assert progress.done == 3
    assert lines[:2] == [
        "1 person, 3 messages to read by scripted.",
        "  This takes at least 3 minutes: 30 of a person and 1 call of the model a minute.",
    ]
    assert len(model.script.chats) == 4
    assert math.ceil(max(waiting.seconds) / 60) >= 3, "three minutes after the first call comes the last one"


async def test_a_model_that_is_away__ends_the_run_and_loses_nothing(
    scene: Scene, asking: Resources, model: ModelServer
) -> None:
    waiting = Waiting(scene.clock)
    says_dishes(scene, scene.ada, scene.chat, 2)
    model.script.always("error_500")
    with pytest.raises(MisconfiguredError, match="The model does not answer"):
        await backfill(asking, EVERYBODY, print, sleep=waiting.sleep)
    assert scene.told() == []
    model.script.always(None)
    scene.clock.advance(hours=1)
    progress = await backfill(asking, EVERYBODY, print, sleep=waiting.sleep)
    assert (progress.done, progress.by_rules) == (2, 0)


async def test_a_message_that_fails__does_not_end_the_others(scene: Scene) -> None:
    """Its row says when it is tried again."""
    first, second = says_dishes(scene, scene.ada, scene.chat, 2)
    scene.db.run(
        "create function public.fail() returns trigger language plpgsql as $$ begin"
        " if new.memory_text = 'Loves ramen' then raise 'planted'; end if; return new; end $$;"
        "create trigger fail before insert on public.user_memory for each row execute function public.fail()"
    )
    progress = await backfill(scene.resources, EVERYBODY, print, sleep=Waiting(scene.clock).sleep)
    assert (progress.done, progress.failed) == (2, 1)
    assert scene.told() == ["Loves pizza"]
    rows = [row["status"] for row in (scene.row(first), scene.row(second)) if row]
    assert rows == ["pending", "extracted"]


def test_progress__says_what_others_read_meanwhile() -> None:
    progress = Progress(35, done=30)
    assert list(progress.ends(has_model=False)) == ["  5 read meanwhile by the functions or a worker"]
