"""What a person does with their memories through an unmodified supabase-py, as the web frontend's users do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from postgrest.exceptions import APIError
from postgrest.types import CountMethod
from supabase import Client, ClientOptions, create_client

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.tokens import person_token
from tests.rest.gateway import KEYS

SignIn = Callable[[Account], Client]

pytestmark = [
    # supabase hands its own postgrest settings that this has deprecated; nothing a caller could do about.
    pytest.mark.filterwarnings("ignore:The '(timeout|verify)' parameter is deprecated:DeprecationWarning"),
]


@pytest.fixture
def sign_in(project_url: str) -> Iterator[SignIn]:
    """Clients as a frontend makes them: the project's public key, and the person's own token."""
    made: list[Client] = []

    def client(person: Account) -> Client:
        token = person_token(person.user_id)
        options = ClientOptions(headers={"Authorization": f"Bearer {token}"}, auto_refresh_token=False)
        made.append(create_client(project_url, KEYS.publishable_key, options))
        return made[-1]

    yield client
    for used in made:
        used.postgrest.session.close()


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada", pronouns=None)


def rows(answer: Any) -> list[dict[str, Any]]:
    """The rows of an answer, as a client without types has them."""
    found: list[dict[str, Any]] = answer.data
    return found


def test_memories__are_listed_filtered_ordered_and_counted(sign_in: SignIn, people: People, ada: Account) -> None:
    for text, kind in [("Lives in Lisbon", "fact"), ("Wants to learn to sail", "goal"), ("Owns a kayak", "fact")]:
        people.memory(ada, text, memory_type=kind)
    table = sign_in(ada).table("user_memory")

    everything = rows(table.select("*").order("memory_no").execute())
    assert [row["memory_text"] for row in everything] == [
        "Name is Ada", "Lives in Lisbon", "Wants to learn to sail", "Owns a kayak",
    ]  # fmt: skip
    assert [row["memory_no"] for row in everything] == [1, 2, 3, 4]
    assert {row["user_id"] for row in everything} == {str(ada.user_id)}
    goals = rows(table.select("memory_text").eq("memory_type", "goal").execute())
    assert goals == [{"memory_text": "Wants to learn to sail"}]
    like = rows(table.select("memory_no").ilike("memory_text", "%kayak%").eq("is_active", value=True).execute())
    assert like == [{"memory_no": 4}]
    page = table.select("*", count=CountMethod.exact).order("memory_no", desc=True).range(0, 1).execute()
    assert page.count == 4
    assert [row["memory_no"] for row in rows(page)] == [4, 3]
    assert table.select("*", count=CountMethod.exact, head=True).execute().count == 4


def test_memories__are_found_by_postgrests_own_text_search(sign_in: SignIn, people: People, ada: Account) -> None:
    people.memory(ada, "Favorite food is ramen")
    people.memory(ada, "Plays the cello")
    table = sign_in(ada).table("user_memory")
    found = rows(table.select("memory_text").text_search("memory_text", "foods", {"config": "english"}).execute())
    assert found == [{"memory_text": "Favorite food is ramen"}]
    web = {"type": "web_search", "config": "english"}
    either = rows(table.select("memory_text").text_search("memory_text", "cellos or noodles", web).execute())
    assert either == [{"memory_text": "Plays the cello"}]


def test_memories__are_found_by_the_search_of_the_product(sign_in: SignIn, people: People, ada: Account) -> None:
    people.memory(ada, "Favorite food is ramen")
    people.memory(ada, "Eats ramen on Fridays", memory_type="pattern")
    people.memory(ada, "Ate ramen in Osaka", status="deleted", deleted_at=datetime.now(UTC))
    client = sign_in(ada)
    found = rows(client.rpc("search_user_memory", {"query": "ramen"}).execute())
    assert {row["memory_text"] for row in found} == {"Favorite food is ramen", "Eats ramen on Fridays"}
    only = rows(client.rpc("search_user_memory", {"query": "ramen", "types": ["pattern"]}).execute())
    assert [row["memory_text"] for row in only] == ["Eats ramen on Fridays"]
    assert len(rows(client.rpc("search_user_memory", {"query": "ramen", "max_results": 1}).execute())) == 1
    assert rows(client.rpc("search_user_memory", {"query": "submarine"}).execute()) == []


def test_edit__makes_it_the_persons_own_words_and_says_so(
    sign_in: SignIn, people: People, ada: Account, db: Clone
) -> None:
    memory_id = people.memory(
        ada,
        "Favorite food is pizza",
        memory_key="fact|person|self|favorite_food",
        value="pizza",
        confidence_score=0.7,
        source_quote="pizza it is",
    )
    edit = sign_in(ada).table("user_memory").update({"memory_text": "Favorite food is Neapolitan pizza"})
    (row,) = rows(edit.eq("id", str(memory_id)).execute())
    assert row["memory_text"] == "Favorite food is Neapolitan pizza"
    assert (row["source"], row["confidence_score"]) == ("user", 1.0)
    assert (row["memory_key"], row["value"], row["source_quote"]) == (None, None, None)
    change = db.one("select * from keepsake.changes where row_id = %s and action = 'update'", (memory_id,))
    assert (change["actor"], change["user_id"]) == ("user", ada.user_id)
    assert change["before"]["memory_text"] == "Favorite food is pizza"
    assert change["after"]["memory_text"] == "Favorite food is Neapolitan pizza"
    words = db.value("select lexemes::text from keepsake.memory_index where memory_id = %s", (memory_id,))
    assert "neapolitan" in words


def test_pin__makes_it_important_and_keeps_its_source(sign_in: SignIn, people: People, ada: Account) -> None:
    memory_id = people.memory(ada, "Allergic to peanuts", confidence_score=0.4, value="allergic")
    pin = sign_in(ada).table("user_memory").update({"pinned": True}).eq("id", str(memory_id))
    (row,) = rows(pin.execute())
    assert (row["pinned"], row["importance"]) == (True, 3)
    assert (row["source"], row["confidence_score"], row["value"]) == ("rule_extraction", 0.4, "allergic")


def test_importance_and_expiry__are_the_persons_to_set(sign_in: SignIn, people: People, ada: Account) -> None:
    memory_id = people.memory(ada, "Visits Oslo in May")
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    edit = sign_in(ada).table("user_memory").update({"importance": 2, "expires_at": until.isoformat()})
    (row,) = rows(edit.eq("id", str(memory_id)).execute())
    assert (row["importance"], datetime.fromisoformat(row["expires_at"])) == (2, until)


def test_forget_restore_undo__each_is_an_operation(sign_in: SignIn, people: People, ada: Account) -> None:
    memory_id = str(people.memory(ada, "Plays the cello"))
    client = sign_in(ada)

    def status() -> str:
        (row,) = rows(client.table("user_memory").select("status").eq("id", memory_id).execute())
        return str(row["status"])

    forgotten: Any = client.rpc("forget_memory", {"memory_id": memory_id}).execute().data
    assert (forgotten["affected"], status()) == (1, "deleted")
    restored: Any = client.rpc("restore_memory", {"memory_id": memory_id}).execute().data
    assert (restored["affected"], status()) == (1, "active")
    client.rpc("undo_operation", {"operation_id": restored["operation_id"]}).execute()
    assert status() == "deleted"
    client.rpc("undo_operation", {"operation_id": forgotten["operation_id"]}).execute()
    assert status() == "active"
    with pytest.raises(APIError) as refused:
        client.rpc("undo_operation", {"operation_id": forgotten["operation_id"]}).execute()
    assert refused.value.code == "PT409"


def test_undo__brings_back_the_exact_row_an_edit_changed(
    sign_in: SignIn, people: People, ada: Account, db: Clone
) -> None:
    memory_id = people.memory(ada, "Lives in Porto", memory_key="fact|person|self|home", value="porto")
    select = "select to_jsonb(m) as row from user_memory as m where id = %s"
    before = db.value(select, (memory_id,))
    client = sign_in(ada)
    client.table("user_memory").update({"memory_text": "Lives in Braga"}).eq("id", str(memory_id)).execute()
    operation = db.value(
        "select operation_id from keepsake.changes where row_id = %s and action = 'update'", (memory_id,)
    )
    client.rpc("undo_operation", {"operation_id": str(operation)}).execute()
    assert db.value(select, (memory_id,)) == before


def test_confirm__makes_it_certain_and_keeps_its_source(sign_in: SignIn, people: People, ada: Account) -> None:
    memory_id = str(people.memory(ada, "Name is Ada L.", confidence_score=0.9))
    client = sign_in(ada)
    client.rpc("confirm_memory", {"memory_id": memory_id}).execute()
    (row,) = rows(client.table("user_memory").select("*").eq("id", memory_id).execute())
    assert (row["confidence_score"], row["source"]) == (1.0, "rule_extraction")


def test_clear__forgets_all_of_it_and_can_be_undone_as_one(sign_in: SignIn, people: People, ada: Account) -> None:
    people.memory(ada, "Plays the cello")
    client = sign_in(ada)
    active = client.table("user_memory").select("memory_no").eq("status", "active").order("memory_no")
    cleared: Any = client.rpc("clear_my_memories").execute().data
    assert cleared["affected"] == 2
    assert rows(active.execute()) == []
    client.rpc("undo_operation", {"operation_id": cleared["operation_id"]}).execute()
    assert [row["memory_no"] for row in rows(active.execute())] == [1, 2]


def test_settings__are_upserted_and_read(sign_in: SignIn, ada: Account) -> None:
    """Both ways a frontend writes its upsert: with the person's id, and leaving it to the database."""
    table = sign_in(ada).table("user_memory_settings")
    assert rows(table.select("*").execute()) == []
    (made,) = rows(table.upsert({"user_id": str(ada.user_id), "building": False}).execute())
    assert (made["building"], made["enabled"], made["user_id"]) == (False, True, str(ada.user_id))
    (again,) = rows(table.upsert({"user_id": str(ada.user_id), "building": True, "long_term": True}).execute())
    assert (again["building"], again["long_term"]) == (True, True)
    (short,) = rows(table.upsert({"allowed_types": ["fact"], "retention_days": {"fact": 365}}).execute())
    assert (short["allowed_types"], short["retention_days"], short["long_term"]) == (["fact"], {"fact": 365}, True)
    (changed,) = rows(table.update({"enabled": False}).eq("user_id", str(ada.user_id)).execute())
    assert changed["enabled"] is False


def test_settings__that_are_not_there_yet_are_not_changed_in_silence(sign_in: SignIn, ada: Account) -> None:
    """A plain PATCH matches no row, which PostgREST would call a success; the hint names the request that works."""
    table = sign_in(ada).table("user_memory_settings")
    with pytest.raises(APIError, match="nothing was changed") as refused:
        table.update({"building": False}).eq("user_id", str(ada.user_id)).execute()
    assert "merge-duplicates" in (refused.value.hint or "")
    assert rows(table.select("*").execute()) == []
    (made,) = rows(table.upsert({"building": False}).execute())
    assert made["building"] is False


def test_overview__counts_what_is_remembered(sign_in: SignIn, people: People, ada: Account) -> None:
    people.memory(ada, "Wants to learn to sail", memory_type="goal", pinned=True, importance=3)
    people.memory(ada, "Plays the cello", status="archived")
    overview: Any = sign_in(ada).rpc("memory_overview").execute().data
    assert overview["by_type"] == {"fact": 1, "emotion": 0, "goal": 1, "pattern": 0, "relationship": 0}
    assert (overview["active"], overview["pinned"], overview["by_status"]["archived"]) == (2, 1, 1)
    assert overview["settings"]["building"] is True


def test_embeds__follow_the_foreign_keys(sign_in: SignIn, people: People, ada: Account) -> None:
    conversation_id = people.conversation(ada, title="Dinner plans")
    message_id = people.says(ada, conversation_id, "My favourite food is ramen.")
    old = people.memory(ada, "Favorite food is pizza", status="superseded")
    new = people.memory(
        ada,
        "Favorite food is ramen",
        conversation_id=conversation_id,
        source_message_id=message_id,
        supersedes_id=old,
    )
    wanted = (
        "memory_text, supersedes_id, user_profile_list(name), messages(content),"
        " conversations_participants(conversations(title))"
    )
    (row,) = rows(sign_in(ada).table("user_memory").select(wanted).eq("id", str(new)).execute())
    assert row == {
        "memory_text": "Favorite food is ramen",
        "supersedes_id": str(old),
        "user_profile_list": {"name": "Ada"},
        "messages": {"content": "My favourite food is ramen."},
        "conversations_participants": {"conversations": {"title": "Dinner plans"}},
    }


@pytest.mark.parametrize("function", ["forget_memory", "restore_memory", "confirm_memory"])
def test_a_memory_that_is_not_there__is_404(sign_in: SignIn, ada: Account, function: str) -> None:
    with pytest.raises(APIError) as refused:
        sign_in(ada).rpc(function, {"memory_id": str(UUID(int=7))}).execute()
    assert refused.value.code == "PT404"


@pytest.mark.parametrize(
    "edit",
    [{"memory_text": ""}, {"memory_text": "x" * 501}, {"memory_text": "a\u0007b"}, {"importance": 4}],
    ids=["empty", "too long", "control", "importance 4"],
)
def test_edit__refuses_what_may_not_be_stored(
    sign_in: SignIn, people: People, ada: Account, edit: dict[str, Any]
) -> None:
    memory_id = people.memory(ada, "Plays the cello")
    with pytest.raises(APIError) as refused:
        sign_in(ada).table("user_memory").update(edit).eq("id", str(memory_id)).execute()
    assert refused.value.code == "23514"
    assert people.memories(ada) == ["Name is Ada", "Plays the cello"]


def test_legacy_anon_key__serves_as_well(project_url: str, people: People, ada: Account) -> None:
    """Projects made before 2026 give their clients a JWT as public key, and sign people in afterwards."""
    client = create_client(project_url, KEYS.anon_key)
    client.postgrest.auth(person_token(ada.user_id))
    assert [row["memory_text"] for row in rows(client.table("user_memory").select("*").execute())] == ["Name is Ada"]
    client.postgrest.session.close()
