"""Whatever end a person gives a memory, every client can read it: one unreadable date would hide all the others."""

from __future__ import annotations

import psycopg
import pytest

from tests.fixtures.scene import Scene

END = "update public.user_memory set expires_at = %s where memory_text = 'Lives in Graz'"


@pytest.mark.parametrize("moment", ["infinity", "-infinity", "20000-01-01", "0044-03-15 BC", "9999-12-31"])
def test_a_date_beyond_the_calendar__is_refused(scene: Scene, moment: str) -> None:
    scene.people.memory(scene.ada, "Lives in Graz")
    with pytest.raises(psycopg.errors.CheckViolation), scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute(END, (moment,))


@pytest.mark.parametrize("moment", ["9999-12-28", "0001-01-04"])
async def test_the_ends_of_the_calendar__are_read(scene: Scene, moment: str) -> None:
    scene.people.memory(scene.ada, "Lives in Graz", memory_key="fact|person|self|home", value="graz")
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute(END, (moment,))
    assert (await scene.tell("I live in Graz, and I work at Acme.")).status == "extracted"
