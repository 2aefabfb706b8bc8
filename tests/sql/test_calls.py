"""What a person calls about their memories: search, overview, restore, confirm."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """A person of whom nothing is remembered yet."""
    person = people.person("Ada")
    db.run("delete from public.user_memory")
    return person


def test_search__current_best_first(db: Clone, people: People, ada: Account) -> None:
    """Stemmed words by language, quoted phrases and exclusions; then the beginnings of words; only what is current."""
    people.memory(ada, "Loves running in the mountains")
    people.memory(ada, "Wants to run a marathon next spring", memory_type="goal")
    people.memory(ada, "Ran once in Rome", status="superseded")
    people.memory(ada, "Feels tired of running", expires_at="2020-01-01")
    people.memory(ada, "Mag lange Läufe im Wald", language="de")
    people.memory(people.person("Ben"), "Loves running")

    def found(query: str, **more: object) -> list[str]:
        given = "".join(f", {name} => %({name})s" for name in more)
        statement = f"select memory_text from public.search_user_memory(%(query)s{given})"
        with db.as_person(ada.user_id) as connection:
            return [row["memory_text"] for row in connection.execute(statement.encode(), {"query": query, **more})]

    assert sorted(found("run")) == ["Loves running in the mountains", "Wants to run a marathon next spring"]
    assert found("running -marathon") == ["Loves running in the mountains"]
    assert found('"next spring"') == ["Wants to run a marathon next spring"]
    assert found("Lauf") == ["Mag lange Läufe im Wald"]
    assert found("mara") == ["Wants to run a marathon next spring"]
    assert found("lov mount") == ["Loves running in the mountains"]
    assert len(found("run", max_results=1)) == 1
    assert found("run", types=["goal"]) == ["Wants to run a marathon next spring"]
    for nothing in ("", "   ", "_", "'", "&|!():*", "\\", "zzz"):
        assert found(nothing) == []


def test_search__of_a_whole_book_is_answered_at_once(db: Clone, people: People, ada: Account) -> None:
    """No more is read of a search than a memory can hold."""
    people.memory(ada, "Loves running in the mountains")
    search = "select memory_text from public.search_user_memory(%s)"
    with db.as_person(ada.user_id) as connection:
        connection.execute("set local statement_timeout = '1s'")
        assert connection.execute(search, (" ".join(f"word{n}" for n in range(50_000)),)).fetchall() == []
        assert len(connection.execute(search, ("mountains" + " " * 100_000,)).fetchall()) == 1


def test_overview__counts(db: Clone, people: People, ada: Account) -> None:
    """What is remembered by type and state, and the settings with their defaults."""
    people.memory(ada, "Likes pizza", pinned=True)
    people.memory(ada, "Feels tired", memory_type="emotion", expires_at="2020-01-01")
    people.memory(ada, "Likes tea", status="deleted")
    with db.as_person(ada.user_id) as connection:
        row = connection.execute("select public.memory_overview() as overview").fetchone()
    assert row is not None
    overview = row["overview"]
    assert (overview["total"], overview["active"], overview["pinned"]) == (2, 1, 1)
    assert overview["by_type"] == {"fact": 1, "emotion": 0, "goal": 0, "pattern": 0, "relationship": 0}
    assert overview["by_status"] == {"active": 1, "superseded": 0, "archived": 0, "expired": 1, "deleted": 1}
    assert overview["by_profile"] == {str(ada.profile_id): 1}
    assert overview["settings"]["building"] is True


def test_restore__what_was_forgotten_archived_or_expired(db: Clone, people: People, ada: Account) -> None:
    """It is current again, and stays so; what was superseded comes back only by undo."""
    for status, expires in [("deleted", None), ("archived", None), ("expired", "2020-01-01"), ("active", "2020-01-01")]:
        memory = people.memory(ada, f"Was {status}", status=status, expires_at=expires)
        with db.as_person(ada.user_id) as connection:
            row = connection.execute("select public.restore_memory(%s) as done", (memory,)).fetchone()
        assert row is not None
        assert row["done"]["affected"] == 1
    current = "select count(*) from public.user_memory where is_active and expires_at is null and archived_at is null"
    assert db.value(current) == 4
    old = people.memory(ada, "Was superseded", status="superseded")
    with db.as_person(ada.user_id) as connection, pytest.raises(psycopg.Error) as refused:
        connection.execute("select public.restore_memory(%s)", (old,))
    assert refused.value.sqlstate == "PT409"


def test_restore__says_whether_a_memory_was_replaced_or_ended(db: Clone, people: People, ada: Account) -> None:
    ended = people.memory(ada, "Drives a fiat", status="superseded", valid_to="2026-01-01")
    replaced = people.memory(ada, "Lives in Graz", status="superseded", valid_to="2026-01-01")
    people.memory(ada, "Lives in Linz", supersedes_id=replaced)
    for memory, message in ((ended, "This memory has ended."), (replaced, "A newer memory has taken its place.")):
        with db.as_person(ada.user_id) as connection, pytest.raises(psycopg.Error) as refused:
            connection.execute("select public.restore_memory(%s)", (memory,))
        assert (refused.value.sqlstate, refused.value.diag.message_primary) == ("PT409", message)


def test_confirm__makes_it_certain(db: Clone, people: People, ada: Account) -> None:
    """Confidence 1.0, once; the source stays what it was."""
    memory = people.memory(ada, "Likes pizza", confidence_score=0.7, source="rule_extraction")
    answers = []
    for _ in range(2):
        with db.as_person(ada.user_id) as connection:
            row = connection.execute("select public.confirm_memory(%s) as done", (memory,)).fetchone()
            assert row is not None
            answers.append((row["done"]["affected"], row["done"]["operation_id"] is None))
    assert answers == [(1, False), (0, True)]
    assert db.one("select confidence_score, source from public.user_memory") == {
        "confidence_score": 1, "source": "rule_extraction",
    }  # fmt: skip


def test_expiry__by_the_person(db: Clone, people: People, ada: Account) -> None:
    """A person may say when a memory ends."""
    people.memory(ada, "Likes pizza")
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set expires_at = now() + %s", (timedelta(days=1),))
    assert db.value("select expires_at > now() from public.user_memory")
