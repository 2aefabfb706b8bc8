"""Entities follow the memories naming them; a person joins, parts and names them, and each decision can be undone."""

from __future__ import annotations

from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from keepsake.domain.entities.entity import entity_slug
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

ROWS: LiteralString = """
    select jsonb_agg(to_jsonb(t) - 'updated_at' order by t.id) from (
      select id, to_jsonb(m) - '{updated_at,reference_count}'::text[] as row from public.user_memory as m
      union all select id, to_jsonb(e) from public.user_memory_entities as e
      union all select id, to_jsonb(p) from public.user_memory_alias_proposals as p
    ) as t"""


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """Somebody of whom nothing is remembered yet."""
    account = people.person("Ada")
    db.run("delete from public.user_memory")
    return account


def keys(db: Clone) -> list[str]:
    """The entities there are."""
    return [row["key"] for row in db.all("select key from public.user_memory_entities order by key")]


def call(db: Clone, person: Account, query: LiteralString, *values: Any) -> dict[str, Any]:
    """The answer of an RPC, called as the person."""
    with db.as_person(person.user_id) as connection:
        row = connection.execute(query, values).fetchone()
        assert row is not None
        answer: dict[str, Any] = next(iter(row.values()))
        return answer


def proposal(db: Clone, person: Account, key: str, variant: str) -> UUID:
    """A pair of names to decide about."""
    made: UUID = db.value(
        "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
        " values (%s, %s, %s, %s, 0.9) returning id",
        (person.user_id, person.profile_id, key, variant),
    )
    return made


def undo_and_redo(db: Clone, person: Account, operation: str, before: Any) -> None:
    """Undo brings back exactly what was, and undoing that exactly what had come of it."""
    after = db.value(ROWS)
    undone = call(db, person, "select public.undo_operation(%s)", operation)
    assert db.value(ROWS) == before
    call(db, person, "select public.undo_operation(%s)", undone["operation_id"])
    assert db.value(ROWS) == after


def test_entities__follow_their_memories(db: Clone, people: People, ada: Account) -> None:
    """A row for each that is named, once, in its own profile; gone with the last memory of it, in whatever state."""
    first = people.memory(ada, "Anna lives in Graz", entity_refs=["person:anna", "place:graz"], entity_label="Anna")
    again = people.memory(ada, "Anna plays", entity_refs=["person:anna", "person:anna"], status="superseded")
    people.memory(ada, "Is tall", entity_refs=["person:self", "planet:mars", "person:"])
    people.memory(people.person("Ben"), "Anna paints", entity_refs=["person:anna"], entity_label="A. nna")
    labels = db.all("select label from public.user_memory_entities where user_id = %s order by key", (ada.user_id,))
    assert [row["label"] for row in labels] == ["Anna", "Graz"]
    assert keys(db) == ["person:anna", "person:anna", "place:graz"]
    assert db.value("select entity_refs from public.user_memory where id = %s", (again,)) == ["person:anna"]
    assert db.value("select entity_refs from public.user_memory where memory_text = 'Is tall'") == ["person:self"]
    db.run("delete from public.user_memory where id = %s", (first,))
    assert keys(db) == ["person:anna", "person:anna"]
    db.run("update public.user_memory set entity_refs = '{person:bea}' where id = %s", (again,))
    assert keys(db) == ["person:anna", "person:bea"]
    db.run("delete from public.user_memory")
    assert keys(db) == []


def test_entity_slug__is_the_same_in_both_languages(db: Clone) -> None:
    names = ["John Doe", "Acme Corp.", "Austin, Texas", "O'Brien", "Jean-Luc", "AT&T", "Zoë", " Łódź ", "मुकेश", "李 雷", "ﬁn", "-", "J.R.R. T"]  # fmt: skip # noqa: E501
    assert [db.value("select keepsake.entity_slug(%s)", (name,)) for name in names] == [*map(entity_slug, names)]


def test_confirm_alias__of_two_statements_the_one_said_last_stays(db: Clone, people: People, ada: Account) -> None:
    key = "relationship|person|friend|{}|home"
    said = {"valid_from": "2026-01-01", "restated_at": "2026-03-01"}
    people.memory(ada, "Makesh lives in Oslo", entity_refs=["person:makesh"], memory_key=key.format("makesh"), **said)
    people.memory(ada, "Mukesh lives in Rome", entity_refs=["person:mukesh"], memory_key=key.format("mukesh"),
                  valid_from="2026-02-01")  # fmt: skip
    call(db, ada, "select public.confirm_alias(%s)", proposal(db, ada, "person:makesh", "person:mukesh"))
    assert people.memories(ada) == ["Makesh lives in Oslo"]
    assert str(db.value("select valid_to from public.user_memory where status = 'superseded'"))[:10] == "2026-03-01"


def test_confirm_alias__joins_what_was_said_of_either(db: Clone, people: People, ada: Account) -> None:
    """One thing said of both keeps the later; what another persona was told stands beside; all of it can be undone."""
    kept, variant = ["person:makesh"], ["person:mukesh", "place:rome"]
    key = "relationship|person|friend|{}|home"
    old = people.memory(ada, "Makesh lives in Oslo", entity_refs=kept, memory_key=key.format("makesh"), value="oslo",
                        valid_from="2026-01-01", importance=3)  # fmt: skip
    new = people.memory(ada, "Mukesh lives in Rome", entity_refs=variant, memory_key=key.format("mukesh"), value="rome",
                        valid_from="2026-02-01")  # fmt: skip
    private = people.memory(ada, "Mukesh is broke", entity_refs=["person:mukesh"], persona_id="coach",
                            memory_key=key.format("mukesh"), value="x")  # fmt: skip
    people.memory(ada, "Mukesha sings", entity_refs=["person:mukesha"])
    pair = proposal(db, ada, "person:makesh", "person:mukesh")
    proposal(db, ada, "person:mukesha", "person:mukesh")
    before = db.value(ROWS)
    answer = call(db, ada, "select public.confirm_alias(%s)", pair)
    rows = {row["id"]: row for row in db.all("select * from public.user_memory")}
    assert (rows[old]["status"], rows[new]["status"], rows[private]["status"]) == ("superseded", "active", "active")
    assert (rows[new]["supersedes_id"], rows[new]["importance"]) == (old, 3)
    assert rows[new]["entity_refs"] == ["person:makesh", "place:rome"]
    assert {rows[one]["memory_key"] for one in (old, new, private)} == {key.format("makesh")}
    assert keys(db) == ["person:makesh", "person:mukesha", "place:rome"]
    assert db.value("select aliases from public.user_memory_entities where key = 'person:makesh'") == ["Mukesh"]
    assert db.value("select variant from public.user_memory_alias_proposals where key = 'person:mukesha'") == kept[0]
    undo_and_redo(db, ada, answer["operation_id"], before)
    later = people.memory(ada, "Mukesh runs", entity_refs=["person:mukesh"])
    assert db.value("select entity_refs from public.user_memory where id = %s", (later,)) == ["person:makesh"]
    assert call(db, ada, "select public.confirm_alias(%s)", pair)["affected"] == 0


def test_refuse_alias__and_erasure(db: Clone, people: People, ada: Account) -> None:
    """A refused pair stays apart; with the last memory of one, its names go from the log and the proposals too."""
    people.memory(ada, "Anna sings", entity_refs=["person:anna"])
    people.memory(ada, "Anne paints", entity_refs=["person:anne"])
    pair = proposal(db, ada, "person:anna", "person:anne")
    before = db.value(ROWS)
    answer = call(db, ada, "select public.refuse_alias(%s)", pair)
    assert db.value("select status from public.user_memory_alias_proposals") == "refused"
    undo_and_redo(db, ada, answer["operation_id"], before)
    anne = db.value("select id from public.user_memory_entities where key = 'person:anne'")
    call(db, ada, "select public.rename_entity(%s, 'Annette Canary')", anne)
    with db.as_service() as service:
        service.execute("select set_config('keepsake.hard_delete', 'on', true)")
        service.execute("delete from public.user_memory where memory_text like 'Anne%'")
    assert keys(db) == ["person:anna"]
    assert db.value("select count(*) from public.user_memory_alias_proposals") == 0
    assert db.value("select count(*) from keepsake.changes as c where c::text ~* 'annette|anne'") == 0


def test_names__a_person_gives_and_takes(db: Clone, people: People, ada: Account) -> None:
    """A label, an alias that joins, an alias that is none; others' entities are not there; each can be undone."""
    people.memory(ada, "John bakes", entity_refs=["person:john"])
    people.memory(ada, "Johnny runs", entity_refs=["person:johnny"])
    one = db.value("select id from public.user_memory_entities where key = 'person:john'")
    for query, value, names in (
        ("select public.rename_entity(%s, %s)", "John  Smith", ["john", "john smith"]),
        ("select public.add_entity_alias(%s, %s)", "Johnny", ["john", "johnny", "john smith"]),
        ("select public.add_entity_alias(%s, %s)", "The Baker", ["john", "johnny", "john smith", "the baker"]),
        ("select public.remove_entity_alias(%s, %s)", "The Baker", ["john", "johnny", "john smith"]),
    ):
        before = db.value(ROWS)
        answer = call(db, ada, query, one, value)
        assert sorted(db.value("select names from public.user_memory_entities where id = %s", (one,))) == sorted(names)
        undo_and_redo(db, ada, answer["operation_id"], before)
    assert keys(db) == ["person:john"]
    listed = db.all("select keepsake.memory_operations(50, null)")
    assert listed == []
    with db.as_person(ada.user_id) as connection:
        mine = connection.execute("select memories from public.memory_operations(3)").fetchall()
    assert len(mine) == 3
    for wrong in ("", "  ", "a\nb", "x" * 121, "!?"):
        with pytest.raises(psycopg.Error, match="A name has"):
            call(db, ada, "select public.rename_entity(%s, %s)", one, wrong)
    with pytest.raises(psycopg.Error, match="not yours"):
        call(db, people.person("Ben"), "select public.rename_entity(%s, 'x')", one)


def test_merge_entities__a_relative_whose_name_is_learnt(db: Clone, people: People, ada: Account) -> None:
    """What was said of "my sister" is Anna's; her name's own slot stays what it is."""
    sister = people.memory(ada, "Sister lives in Graz", entity_refs=["person:sister"], value="graz",
                           memory_key="relationship|person|sister|home")  # fmt: skip
    people.memory(ada, "Sister is named Anna", entity_refs=["person:anna"], entity_label="Anna", value="anna",
                  memory_key="relationship|person|sister|name")  # fmt: skip
    db.run(
        "select keepsake.merge_entities(%s, %s, 'person:sister', 'person:anna', true)", (ada.user_id, ada.profile_id)
    )
    row = db.one("select * from public.user_memory where id = %s", (sister,))
    assert (row["memory_key"], row["entity_refs"]) == ("relationship|person|sister|anna|home", ["person:anna"])
    assert keys(db) == ["person:anna"]
    assert db.value("select aliases from public.user_memory_entities") == []


def test_set_memory_persona__one_alone_or_all(db: Clone, people: People, ada: Account) -> None:
    shared = people.memory(ada, "Favorite food is ramen", memory_key="fact|person|self|favorite_food", value="ramen")
    before = db.value(ROWS)
    answer = call(db, ada, "select public.set_memory_persona(%s, 'coach')", shared)
    assert db.value("select persona_id from public.user_memory") == "coach"
    undo_and_redo(db, ada, answer["operation_id"], before)
    people.memory(ada, "Favorite food is soup", memory_key="fact|person|self|favorite_food", value="soup")
    with pytest.raises(psycopg.Error, match="about the same thing"):
        call(db, ada, "select public.set_memory_persona(%s, null)", shared)
    with pytest.raises(psycopg.Error, match="A persona has"):
        call(db, ada, "select public.set_memory_persona(%s, ' ')", shared)


def test_pin__does_not_run_out(db: Clone, people: People, ada: Account) -> None:
    """Unless the person says until when with the pin."""
    first, second = (people.memory(ada, text, expires_at="2030-01-01") for text in ("Sees Bea on Friday", "Is tired"))
    with db.as_person(ada.user_id) as person:
        person.execute("update public.user_memory set pinned = true where id = %s", (first,))
        person.execute(
            "update public.user_memory set pinned = true, expires_at = '2031-01-01' where id = %s", (second,)
        )
    rows = {row["id"]: row for row in db.all("select id, importance, expires_at from public.user_memory")}
    assert (rows[first]["expires_at"], rows[first]["importance"]) == (None, 3)
    assert rows[second]["expires_at"].year >= 2030
