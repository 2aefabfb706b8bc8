"""A pause holds from its moment, also the first one of a person who has no settings yet."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from tests.fixtures.db import Clone
from tests.fixtures.people import People

HOLD = "select user_id from public.conversations_participants where conversation_id = %s and user_id = %s for share"
PAUSE = "insert into public.user_memory_settings (user_id, building) values (%s, false)"
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


def test_first_pause__waits_for_the_turn_that_is_being_written(db: Clone, people: People) -> None:
    """Once the person is told that memory is paused, nothing more is stored."""
    ada, ben = people.person("Ada"), people.person("Ben")
    chat = people.conversation(ada, ben)

    def pause() -> None:
        with db.as_person(ada.user_id) as connection:
            connection.execute(PAUSE, (ada.user_id,))

    with ThreadPoolExecutor(1) as pool:
        with db.as_service() as connection:
            connection.execute(HOLD, (chat, ada.user_id))
            pausing = pool.submit(pause)
            until = time.monotonic() + 60
            while db.value(WAITING) == 0:
                assert not pausing.done(), "the pause did not wait"
                assert time.monotonic() < until, "nobody waits"
                time.sleep(0.02)
        pausing.result(timeout=60)
    with db.as_service() as connection:  # what somebody else writes is nothing to wait for
        connection.execute(HOLD, (chat, ada.user_id))
        with db.as_person(ben.user_id) as other:
            other.execute(PAUSE, (ben.user_id,))
    assert db.value("select count(*) from public.user_memory_settings where not building") == 2
