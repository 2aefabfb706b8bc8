"""The schema with every table of people's rows divided by hash of the person: what Keepsake does works there too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.record_injection import record_injection
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.scene import Scene
from tests.fixtures.servers import Cluster
from tests.migrations.baseline import baseline
from tests.sql.gap_checks import INVARIANTS, gaps
from tests.sql.test_keys import HOST
from tests.support.summaries import remember, rows, summarize
from tests.support.transfer import bring, erase, export, undo

PARTS = 3
_TABLE = re.compile(
    r"^create table (?P<name>(?:public|keepsake)\.(?P<table>\w+)) \((?P<columns>.*?)\n\)(?P<options> with \([^)]*\))?;",
    re.MULTILINE | re.DOTALL,
)


def divide(found: re.Match[str]) -> str:
    """The table in parts, as an operator would write it; nobody has rights on a part."""
    if found["table"] in HOST or not re.search(r"^  user_id uuid", found["columns"], re.MULTILINE):
        return found[0]
    made = [f"create table {found['name']} ({found['columns']}\n) partition by hash (user_id);"]
    for number in range(PARTS):
        made.append(
            f"create table {found['name']}_{number} partition of {found['name']}"
            f" for values with (modulus {PARTS}, remainder {number}){found['options'] or ''};"
        )
        made.append(f"alter table {found['name']}_{number} enable row level security;")
        made.append(f"revoke all on {found['name']}_{number} from public, anon, authenticated, service_role;")
    return "\n".join(made)


@pytest.fixture
def db(cluster: Cluster, template: str) -> Iterator[Clone]:
    """A database with the divided schema; the template is there for the login of the functions."""
    del template
    schema = _TABLE.sub(divide, baseline())
    assert schema.count("partition by hash (user_id)") >= 35
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as copy:
        with psycopg.connect(copy.owner_url) as owner:
            owner.execute(schema.encode())
        yield copy


async def test_divided__a_life_goes_on(scene: Scene) -> None:
    """Said, replaced, forgotten, undone, shown, summarized, exported, brought back, archived and erased."""
    bo = scene.people.person("Bo")
    talk = scene.people.conversation(bo)
    await scene.tell("My favourite food is pizza.")
    await scene.tell("Actually, my favourite food is ramen now. I need to call the dentist.")
    await scene.tell("I live in Leeds.", person=bo, chat=talk)
    chess = (await scene.tell("I like chess.")).memories[0].id
    again = await scene.extract(scene.db.value("select id from public.messages where content = 'I like chess.'"))
    assert (again.status, [one.id for one in again.memories]) == ("duplicate", [chess])

    with scene.db.as_person(scene.ada.user_id) as connection:
        operation = connection.execute("select public.forget_memory(%s) as done", (chess,)).fetchone()
    assert operation is not None
    assert "Likes chess" not in scene.told()
    undo(scene, operation["done"]["operation_id"])
    assert "Likes chess" in scene.told()
    undo(scene, scene.db.value("select operation_id from keepsake.changes order by seq desc limit 1"))
    assert "Likes chess" not in scene.told()

    context = await inject_memory(scene.resources, ContextRequest(scene.chat, scene.says("What is my favourite food?")))
    assert "ramen" in context.context
    assert context.injection_id is not None
    await record_injection(
        scene.resources, injection_id=context.injection_id, message_id=scene.people.answers(scene.chat, "Ramen!")
    )
    remember(scene, "2024-10-31", "Plays the cello")
    assert await summarize(scene, Level.DAY, Level.WEEK)
    assert rows(scene, "daily")
    await run_due_jobs(scene.resources, max_seconds=60)
    await archive_old_memories(scene.resources, max_seconds=60)
    with scene.db.as_owner() as owner:
        assert gaps(owner, INVARIANTS) == []

    before, exported = scene.told(), await export(scene)
    await erase(scene)
    assert not scene.told()
    assert scene.told(bo) == ["Lives in Leeds"]
    assert (await bring(scene, exported)).status != "unchanged"
    assert scene.told() == before
    with scene.db.as_owner() as owner:
        assert gaps(owner, INVARIANTS) == []
