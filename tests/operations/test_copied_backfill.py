"""`keepsake backfill`, killed in the middle, leaves what a run leaves that nobody killed; also over copied chats."""

from __future__ import annotations

import math
import time
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL
from tests.operations.layouts import ADA, BEN, CHATBOT_UI
from tests.operations.test_adopt import adopted, run
from tests.operations.test_backfill import DISHES, EVERYBODY, Waiting, ends, says_dishes, start_command

FOODS = {ADA: [f"{dish} with salt" for dish in DISHES], BEN: [f"{dish} with pepper" for dish in DISHES]}


def _say(db: Clone, person: UUID) -> None:
    run(db, CHATBOT_UI.new_chat.replace(str(ADA), str(person)))
    for food in FOODS[person]:
        run(db, CHATBOT_UI.say.format(role="user", text=f"I love {food}.").replace(str(ADA), str(person)))


def _start_and_kill(db: Clone) -> None:
    """Kill the command as soon as it reads."""
    command = start_command(db, "--all", EMBEDDING="off", EXTRACTIONS_PER_MINUTE="1000")
    while command.poll() is None and not db.value("select count(*) from keepsake.extractions"):
        time.sleep(0.1)
    command.kill()
    command.communicate()
    assert command.returncode != 0


async def test_killed__everything_is_read_once(blank_db: Clone, tmp_path: Path) -> None:
    """By SIGKILL, while messages are read; what the killed run had claimed is read when its claim is stale."""
    db = blank_db
    run(db, CHATBOT_UI.tables)
    for person in FOODS:
        _say(db, person)
    adopted(db, tmp_path)
    run(db, "alter role keepsake_api login")
    with db.as_service() as service:
        for person in FOODS:
            service.execute("select public.agree_to_memory_for(%s, '2020-01-01')", (person,))
    _start_and_kill(db)
    settings = Settings.load(
        database_url=db.api_url, supabase_url=PROJECT_URL, supabase_jwt_secret=JWT_SECRET,
        statement_timeout_seconds=60, embedding="off", extractions_per_minute=1_000,
    )  # fmt: skip
    clock = FixedClock(db.value("select now()") + timedelta(hours=1))
    resources = Resources.build(settings, clock=clock)
    try:
        await backfill(resources, Backfill(), lambda _line: None)
    finally:
        await resources.close()
    rows = db.all("select user_id, memory_text from public.user_memory where source = 'rule_extraction'")
    remembered = sorted((row["user_id"], row["memory_text"]) for row in rows)
    assert remembered == sorted((person, f"Loves {food}") for person, foods in FOODS.items() for food in foods)
    assert {row["status"] for row in db.all("select status from keepsake.extractions")} == {"extracted"}


async def test_a_message_that_a_killed_run_had_claimed__is_read_before_what_was_said_later(scene: Scene) -> None:
    """Once the claim is stale: what comes of a person's messages depends on their order."""
    first, second, third = says_dishes(scene, scene.ada, scene.chat, 3)
    scene.db.run(
        "insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, claim_token,"
        " claimed_at, attempts, created_at, next_attempt_at)"
        " values (%s, %s, %s, 'claimed', gen_random_uuid(), %s, 1, %s, %s)",
        (scene.chat, second, scene.ada.user_id, *[scene.clock.now()] * 3),
    )
    waiting = Waiting(scene.clock)
    progress = await backfill(scene.resources, EVERYBODY, print, sleep=waiting.sleep)
    assert (progress.done, progress.total) == (3, 3)
    assert math.ceil(sum(waiting.seconds) / 60) >= 1
    read = scene.db.all("select source_message_id from keepsake.extractions order by finished_at")
    assert [row["source_message_id"] for row in read] == [first, second, third]
    assert ends(scene.db) == [("extracted", 2)]
