"""What the table of memories keeps by itself: numbers, states, words, a person's own edit, and whose a row is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """A person of whom nothing is remembered yet."""
    person = people.person("Ada")
    db.run("delete from public.user_memory")
    db.run("delete from keepsake.counters")
    return person


def numbers(db: Clone) -> list[int]:
    """The numbers given out so far."""
    return [row["memory_no"] for row in db.all("select memory_no from public.user_memory order by memory_no")]


def test_memory_no__never_used_again(db: Clone, people: People, ada: Account) -> None:
    """A person's memories count from one, and a deleted one's number stays its own."""
    for text in ("One", "Two", "Three"):
        people.memory(ada, text)
    db.run("delete from public.user_memory where memory_no = 3")
    people.memory(ada, "Four")
    people.memory(people.person("Ben"), "Of somebody else")
    assert db.all("select memory_no from public.user_memory where user_id = %s order by 1", (ada.user_id,)) == [
        {"memory_no": number} for number in (1, 2, 4)
    ]


def test_memory_no__written_at_once(db: Clone, people: People, ada: Account) -> None:
    """Twenty writers at once get twenty numbers without a gap."""
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: people.memory(ada, f"Likes number {number}"), range(20)))
    assert numbers(db) == list(range(1, 21))


def test_memory_no__cannot_be_chosen(db: Clone, people: People, ada: Account) -> None:
    """Not even by the service."""
    people.memory(ada, "One", memory_no=7)
    assert numbers(db) == [1]


def test_active_key__one_statement_about_a_thing(db: Clone, people: People, ada: Account) -> None:
    """A second current statement of one key is refused; history, other personas and keyless statements are not."""
    people.memory(ada, "Favorite food is pizza", memory_key="food", value="pizza")
    with pytest.raises(psycopg.errors.UniqueViolation):
        people.memory(ada, "Favorite food is ramen", memory_key="food", value="ramen")
    people.memory(ada, "Favorite food is rice", memory_key="food", value="rice", status="superseded")
    people.memory(ada, "Favorite food is soup", memory_key="food", value="soup", persona_id="coach")
    people.memory(ada, "No key at all")
    people.memory(ada, "No key at all")
    assert len(numbers(db)) == 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * 501,
        "a\x01b",
        "a\nb",
        "a\tb",
        "a\x7fb",
        "a\x85b",
    ],
    ids=["empty", "blank", "long", "control", "newline", "tab", "delete", "c1"],
)
def test_memory_text__refused(people: People, ada: Account, text: str) -> None:
    """One to 500 characters, and none that hides or steers."""
    with pytest.raises(psycopg.errors.CheckViolation):
        people.memory(ada, text)


@pytest.mark.parametrize(
    "text", ["a\u202eb", "a\u2066b", "a\u200fb", "a\U000e0041b"], ids=["override", "isolate", "mark", "tag"]
)
def test_memory_text__is_cleaned(db: Clone, people: People, ada: Account, text: str) -> None:
    """What no reader sees, and what steers the direction of a text, is taken out."""
    people.memory(ada, text)
    assert db.value("select memory_text from public.user_memory") == "ab"


@pytest.mark.parametrize("text", ["x", "x" * 500, "Mag Käse 🧀 und 日本", "Family 👨\u200d👩\u200d👧", "עברית"])
def test_memory_text__kept(db: Clone, people: People, ada: Account, text: str) -> None:
    """Every language and every emoji is welcome."""
    people.memory(ada, text)
    assert db.value("select memory_text from public.user_memory") == text


def test_edit__makes_it_the_persons_own(db: Clone, people: People, ada: Account) -> None:
    """New words by the person are certain, theirs, without what was derived from the old ones, and found at once."""
    memory = people.memory(
        ada, "Favorite food is pizza", memory_key="food", value="pizza", source_quote="I love pizza",
        source="rule_extraction", updated_at="2020-01-01",
    )  # fmt: skip
    with db.as_person(ada.user_id) as connection:
        connection.execute(
            "update public.user_memory set memory_text = 'Favorite food is sushi' where id = %s", (memory,)
        )
    row = db.one(
        "select confidence_score, source, memory_key, value, source_quote, "
        " updated_at > now() - interval '1 minute' as new,"
        " i.lexemes @@ to_tsquery('english', 'sushi') as found from public.user_memory as m"
        " join keepsake.memory_index as i on i.memory_id = m.id"
    )
    assert row == {
        "confidence_score": 1, "source": "user", "memory_key": None, "value": None, "source_quote": None, "new": True,
        "found": True,
    }  # fmt: skip


def test_edit__a_pin_changes_no_words(db: Clone, people: People, ada: Account) -> None:
    """Pinning sets importance 3 and nothing else; unpinned, it may be set lower."""
    people.memory(ada, "Likes pizza", memory_key="pizza", value="like", source="rule_extraction", confidence_score=0.7)
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set pinned = true, importance = 0")
    row = db.one("select importance, source, memory_key, confidence_score::float as sure from public.user_memory")
    assert row == {"importance": 3, "source": "rule_extraction", "memory_key": "pizza", "sure": 0.7}
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set pinned = false, importance = 0")
    assert db.value("select importance from public.user_memory") == 0


@pytest.mark.parametrize("importance", [0, 2])
def test_pin__gives_back_the_importance_when_it_is_taken_away(
    db: Clone, people: People, ada: Account, importance: int
) -> None:
    """Also after an undo of either, and for a memory that was pinned twice."""
    memory_id = people.memory(ada, "Likes tea", importance=importance)
    with db.as_person(ada.user_id) as person:
        person.execute("update public.user_memory set pinned = true")
    assert db.value("select importance from public.user_memory") == 3
    with db.as_person(ada.user_id) as person:
        person.execute("update public.user_memory set pinned = false")
    assert db.value("select importance from public.user_memory") == importance
    last = db.value(
        "select operation_id from keepsake.changes where row_id = %s order by seq desc limit 1", (memory_id,)
    )
    with db.as_person(ada.user_id) as person:
        person.execute("select public.undo_operation(%s)", (last,))
    assert db.one("select pinned, importance from public.user_memory") == {"pinned": True, "importance": 3}
    with db.as_person(ada.user_id) as person:
        person.execute("update public.user_memory set pinned = false")
    assert db.value("select importance from public.user_memory") == importance


def test_index__follows_the_memory(db: Clone, people: People, ada: Account) -> None:
    """Words by language while it is active, none otherwise, and none when it is gone."""
    memory = people.memory(ada, "Läuft gerne durch Wälder", language="de")
    words = "select lexemes::text, length from keepsake.memory_index"
    assert db.one(words) == {"lexemes": "'gern':2 'lauft':1 'wald':4", "length": 3}
    db.run("update public.user_memory set language = 'xx'")
    assert db.value("select length from keepsake.memory_index") == 4
    db.run("update public.user_memory set status = 'archived'")
    assert db.all(words) == []
    db.run("update public.user_memory set status = 'active'")
    assert len(db.all(words)) == 1
    db.run("delete from public.user_memory where id = %s", (memory,))
    assert db.all(words) == []


def test_state__has_its_date(db: Clone, people: People, ada: Account) -> None:
    """Deleted and archived rows say since when, whoever wrote them; a restored one says neither."""
    people.memory(ada, "Likes pizza")
    dates = (
        "select is_active, deleted_at is not null as deleted, archived_at is not null as archived"
        " from public.user_memory"
    )
    for status, expected in [
        ("archived", (False, False, True)),
        ("deleted", (False, True, True)),
        ("active", (True, False, False)),
    ]:
        db.run("update public.user_memory set status = %s", (status,))
        assert tuple(db.one(dates).values()) == expected


def test_accounting__is_heap_only(db: Clone, people: People, ada: Account) -> None:
    """Counting a use touches no index, moves no date, and fires nothing."""
    memory = people.memory(ada, "Likes pizza", updated_at="2020-01-01")
    with psycopg.connect(db.superuser_url, autocommit=True) as connection:
        count = "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'user_memory'"
        connection.execute("select pg_stat_reset()")
        for _ in range(10):
            connection.execute(
                "update public.user_memory set reference_count = reference_count + 1, last_referenced_at = now()"
                " where id = %s",
                (memory,),
            )
        connection.execute("select pg_stat_force_next_flush()")
        assert connection.execute(count).fetchone() == (10, 10)
    assert db.value("select updated_at < '2021-01-01' from public.user_memory")


@pytest.mark.parametrize("column", ["profile_id", "conversation_id", "source_message_id", "supersedes_id"])
def test_owner__no_row_is_tied_to_anothers(people: People, ada: Account, column: str) -> None:
    """Not even the service role can point one person's memory at something of another's."""
    ben = people.person("Ben")
    conversation = people.conversation(ben)
    theirs: dict[str, UUID] = {
        "profile_id": ben.profile_id,
        "conversation_id": conversation,
        "source_message_id": people.says(ben, conversation, "I like tea"),
        "supersedes_id": people.memory(ben, "Likes tea"),
    }
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        people.memory(ada, "Likes tea", **{column: theirs[column]})


def test_owner__private_rows_too(db: Clone, people: People, ada: Account) -> None:
    """An extraction belongs to the author of its message, an injection to somebody who takes part."""
    ben = people.person("Ben")
    conversation = people.conversation(ben)
    message = people.says(ben, conversation, "I like tea")
    extraction = "insert into keepsake.extractions (conversation_id, source_message_id, user_id) values (%s, %s, %s)"
    injection = "insert into keepsake.injections (conversation_id, user_id, answer_message_id) values (%s, %s, %s)"
    elsewhere = people.answers(people.conversation(ada), "Hello")
    for statement, values in [
        (extraction, (conversation, message, ada.user_id)),
        (extraction, (conversation, uuid4(), ben.user_id)),
        (injection, (conversation, ada.user_id, None)),
        (injection, (conversation, ben.user_id, elsewhere)),
    ]:
        with db.as_service() as connection, pytest.raises(psycopg.errors.ForeignKeyViolation):
            connection.execute(statement.encode(), values)
    with db.as_service() as connection:
        connection.execute(extraction.encode(), (conversation, message, ben.user_id))
        connection.execute(injection.encode(), (conversation, ben.user_id, people.answers(conversation, "Tea it is")))


def test_owner__leaving_keeps_the_memory(db: Clone, people: People, ada: Account) -> None:
    """A deleted conversation or message leaves its memories, which then say nothing of where they came from."""
    conversation = people.conversation(ada)
    message = people.says(ada, conversation, "I like pizza")
    people.memory(ada, "Likes pizza", conversation_id=conversation, source_message_id=message)
    db.run("delete from public.messages")
    assert db.value("select conversation_id from public.user_memory") == conversation
    db.run("delete from public.conversations")
    assert db.one("select conversation_id, source_message_id, user_id from public.user_memory") == {
        "conversation_id": None, "source_message_id": None, "user_id": ada.user_id,
    }  # fmt: skip


def test_settings__nonsense_is_refused(db: Clone, ada: Account) -> None:
    """Retention is a whole number of days by type."""
    with db.as_person(ada.user_id) as connection:
        connection.execute("insert into public.user_memory_settings (retention_days) values ('{\"emotion\": 30}')")
    for nonsense in ('{"emotion": "x"}', '{"emotion": 0}', '{"emotion": 1.5}', '{"moods": 3}', "[]"):
        with db.as_person(ada.user_id) as connection, pytest.raises(psycopg.errors.CheckViolation):
            connection.execute("update public.user_memory_settings set retention_days = %s", (nonsense,))
