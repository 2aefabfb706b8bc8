"""What Postgres finds and scores for a message, against the formulas and against the rules of whose memories count."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.rows import dict_row

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.context.identity_line import identity_line, identity_slot
from keepsake.domain.context.query_expansion import expand_query
from keepsake.domain.context.scoring import ScoredMemory, Strategy
from keepsake.domain.memory import MemoryType
from keepsake.infra.database import Connection
from keepsake.store import unscreened_edits
from keepsake.store.context_candidates import CandidateQuery, find_candidates, find_introduction
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.support import reference_scoring
from tests.support.stored_vectors import embedded, words_of

WORDS = (
    "ramen", "noodle", "soup", "marathon", "running", "family", "sister", "piano", "garden", "tomato", "Austin",
)  # fmt: skip


@pytest.fixture
async def conn(db: Clone) -> AsyncIterator[Connection]:
    """A connection that is the service's."""
    async with await Connection.connect(db.api_url, row_factory=dict_row, prepare_threshold=None) as connection:
        await connection.execute("set local role service_role")
        yield connection


async def ask(conn: Connection, person: Account, query: str, now: datetime, **more: Any) -> dict[str, ScoredMemory]:
    """The candidates for a message, by text; who the person is comes with every message and is left out here."""
    fields: dict[str, Any] = {"persona_id": None, "types": list(MemoryType)} | more
    ids: dict[str, Any] = {"user_id": person.user_id, "profile_id": person.profile_id}
    found = await find_candidates(conn, CandidateQuery(**ids, text=query, now=now, **fields))
    return {scored.memory.text: scored for scored in found if identity_slot(scored.memory) is None}


def scatter(people: People, person: Account, now: datetime, count: int, seed: int) -> None:
    """Store memories of every kind, age and use."""
    dice = random.Random(seed)  # noqa: S311  # the same memories in every run
    for number in range(count):
        people.memory(
            person,
            f"{number} " + " ".join(dice.choices(WORDS, k=dice.randint(1, 12))),
            memory_type=dice.choice(list(reference_scoring.TYPE_WEIGHTS)),
            confidence_score=dice.randint(0, 1000) / 1000,
            reference_count=dice.randint(0, 30),
            created_at=now - timedelta(days=dice.random() * 90),
            last_referenced_at=dice.choice([None, now - timedelta(days=dice.random() * 40), now + timedelta(hours=1)]),
            importance=dice.randint(0, 3),
        )


@pytest.mark.parametrize("seed", range(3))
async def test_scores__agree_with_the_reference(
    db: Clone, people: People, conn: Connection, now: datetime, seed: int
) -> None:
    person, stranger = people.person("Ada"), people.person("Bob")
    scatter(people, person, now, 60, seed)
    scatter(people, stranger, now, 20, seed + 100)
    question = "Which soup, ramen or noodles, after my running and the marathon? Sister's unicorn, parents"
    found = await ask(conn, person, question, now, limit=60, strategy=Strategy.PRIOR)
    rows = db.all("select * from public.user_memory where user_id = %s", (person.user_id,))
    documents = [words_of(db, row["memory_text"]) for row in rows]  # the name, too, is one of the person's memories
    asked, related = words_of(db, question), words_of(db, expand_query(question))
    weights = reference_scoring.word_weights(documents, asked, related - asked)
    assert len(found) == len(rows) - 1 == 60
    for row, document in zip(rows, documents, strict=True):
        if row["memory_key"] is not None:
            continue
        scored = found[row["memory_text"]]
        assert scored.prior == pytest.approx(reference_scoring.prior(row, now), abs=1e-9)
        assert scored.lexical == pytest.approx(reference_scoring.lexical(document, weights), abs=1e-9)
        assert scored.coverage == pytest.approx(reference_scoring.coverage(document, weights, asked), abs=1e-9)
        assert set(scored.matched) == weights.keys() & document


async def test_candidates__with_a_vector_are_those_that_mean_it_too(
    db: Clone, people: People, conn: Connection, now: datetime
) -> None:
    person, stranger = people.person("Ada"), people.person("Bob")
    vectors = {"Has a cat": (1.0, 0.1), "Owns a kettle": (0.1, 1.0), "Likes ramen": (-0.5, 0.5), "Runs": (-1.0, 0.0)}
    for text, vector in vectors.items():
        embedded(db, person, people.memory(person, text), vector)
    people.memory(person, "Plays the piano")  # not embedded yet
    embedded(db, stranger, people.memory(stranger, "Has a lion"), (1.0, 0.0))
    given: dict[str, Any] = {"vector": (1.0, 0.0), "vector_model": "small"}
    found = await ask(conn, person, "A feline, or a piano?", now, **given)
    assert set(found) == {*vectors, "Plays the piano"}
    similarities = {text: x / math.hypot(x, y) for text, (x, y) in vectors.items()}
    for text, deviation in reference_scoring.deviations(similarities).items():
        # Vectors are compared in half precision.
        assert found[text].similarity == pytest.approx(similarities[text], abs=1e-4)
        assert found[text].deviation == pytest.approx(deviation, abs=1e-3)
    assert found["Plays the piano"].similarity is None
    assert set(await ask(conn, person, "A feline?", now, **given | {"vector_model": "other"})) == set()
    assert set(await ask(conn, person, "Hello!", now, **given)) == set()


async def test_candidates__hold_what_stands_beside_the_best_and_shares_a_word(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    for number in range(3):
        people.memory(person, f"Paints sunset {number} for Anna")
    for text in ("Anna framed it", "Bought a frame"):
        people.memory(person, text)
    found = await ask(conn, person, "Which sunsets does Anna have?", now, limit=1)
    assert set(found) == {f"Paints sunset {number} for Anna" for number in range(3)} | {"Anna framed it"}


async def test_candidates__what_answers_a_question_in_other_words_is_found(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    for text in ("Works at Siemens", "Allergic to peanuts", "Lives in Graz", "Has a garden"):
        people.memory(person, text)
    always = {"Allergic to peanuts"}
    assert set(await ask(conn, person, "what is my job?", now)) == {"Works at Siemens"} | always
    assert (await ask(conn, person, "Can you recommend a restaurant?", now))["Allergic to peanuts"].lexical > 0
    assert set(await ask(conn, person, "which city is that", now)) == {"Lives in Graz"} | always
    assert (await ask(conn, person, "What is the weather like here?", now))["Lives in Graz"].lexical > 0


async def test_candidates__are_few_and_hold_the_best_by_words_and_by_prior(
    db: Clone, people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    scatter(people, person, now, 200, 7)
    question = "ramen and piano"
    everything = await ask(conn, person, question, now, limit=200, strategy=Strategy.PRIOR)
    few = await ask(conn, person, question, now, strategy=Strategy.PRIOR)
    message, neighbors, always_shown, cards, prior = 20, 4 * 10, 10, 10, 13 + len(ANSWER_SLOTS)
    assert len(few) <= message + neighbors + always_shown + cards + prior
    by_words = sorted(everything.values(), key=lambda s: -s.lexical)[:10]
    by_prior = sorted(everything.values(), key=lambda s: -s.prior)[:10]
    assert {s.memory.text for s in by_words + by_prior} <= set(few)
    assert [few[s.memory.text] for s in by_words] == by_words


async def test_candidates__are_the_persons_own_current_ones_of_this_profile_persona_and_type(
    db: Clone, people: People, conn: Connection, now: datetime
) -> None:
    person, stranger = people.person("Ada"), people.person("Bob")
    other_profile = people.profile(person.user_id, "Work")
    people.memory(person, "Likes ramen")
    people.memory(person, "Likes ramen for the coach", persona_id="coach")
    people.memory(person, "Likes ramen for the cook", persona_id="cook")
    people.memory(person, "Likes ramen until tomorrow", expires_at=now + timedelta(days=1))
    people.memory(person, "Liked ramen until now", expires_at=now)
    people.memory(person, "Wants to cook ramen", memory_type="goal")
    people.memory(person, "Loathed ramen", status="superseded")
    people.memory(person, "Loved ramen", status="archived")
    people.memory(person, "Likes ramen at work", profile_id=other_profile)
    people.memory(stranger, "Likes ramen elsewhere")
    found = await ask(conn, person, "ramen", now, persona_id="coach", types=[MemoryType.FACT], strategy=Strategy.PRIOR)
    assert set(found) == {"Likes ramen", "Likes ramen for the coach", "Likes ramen until tomorrow"}
    assert all(scored.lexical > 0 for scored in found.values())


async def test_candidates__a_later_message_gets_only_what_it_asks_for_and_what_is_always_there(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Favorite tea is oolong", subtype="preference", importance=2)
    people.memory(person, "Pays the rent on Fridays", pinned=True, importance=3)
    people.memory(person, "Plays the piano")
    people.memory(person, "Has a garden")
    found = await ask(conn, person, "Who tunes a piano?", now)
    assert set(found) == {"Pays the rent on Fridays", "Plays the piano"}
    assert found["Plays the piano"].matched == ("piano",)


async def test_candidates__an_introduction_is_what_is_important_and_tells_who_the_person_is(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    for text in (
        "Lives in Graz",
        "Works at Siemens",
        "Sister is named Mia",
        "Was diagnosed with asthma",
        "Owns a kite",
    ):
        people.memory(person, text)
    people.memory(person, "Wants to sail", memory_type="goal")
    people.memory(person, "Favorite tea is oolong", subtype="preference", importance=2)
    people.memory(person, "Likes rain", subtype="preference")
    ids: dict[str, Any] = {"user_id": person.user_id, "profile_id": person.profile_id, "types": list(MemoryType)}
    found = await find_introduction(conn, CandidateQuery(**ids, persona_id=None, now=now))
    assert {scored.memory.text for scored in found if identity_slot(scored.memory) is None} == {
        "Lives in Graz", "Works at Siemens", "Sister is named Mia", "Was diagnosed with asthma", "Wants to sail",
        "Favorite tea is oolong",
    }  # fmt: skip


async def test_candidates__who_the_person_is_comes_with_every_message(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person("Ada", nickname="Countess", pronouns="she/her")
    given: dict[str, Any] = {"user_id": person.user_id, "profile_id": person.profile_id, "text": "Hello!"}
    found = await find_candidates(conn, CandidateQuery(**given, persona_id=None, types=[MemoryType.FACT], now=now))
    line = identity_line(scored.memory for scored in found)
    assert (line.name, line.nickname, line.pronouns) == ("Ada", "Countess", "she/her")
    assert set(line.memory_ids) == {scored.memory.id for scored in found}


async def test_candidates__the_plain_prior_gets_the_best_by_prior_at_every_message(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Has a garden")
    assert set(await ask(conn, person, "piano", now)) == set()
    assert set(await ask(conn, person, "piano", now, strategy=Strategy.PRIOR)) == {"Has a garden"}


async def test_candidates__bring_the_important_facts_about_the_people_they_mention(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Anna plays the piano", entity_refs=["person:anna"])
    people.memory(person, "Anna is a nurse", entity_refs=["person:anna"], importance=2)
    people.memory(person, "Anna wears hats", entity_refs=["person:anna"], importance=1)
    people.memory(person, "John is a baker", entity_refs=["person:john"], importance=2)
    found = await ask(conn, person, "piano", now)
    assert set(found) == {"Anna plays the piano", "Anna is a nurse"}


async def test_candidates__leave_feelings_out_where_others_read(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Feels tired of ramen", memory_type="emotion", subtype="feeling")
    people.memory(person, "Sad about ramen", memory_type="emotion")
    people.memory(person, "Likes ramen")
    assert set(await ask(conn, person, "ramen", now, shared=True)) == {"Likes ramen"}
    assert len(await ask(conn, person, "ramen", now, shared=False)) == 3


async def test_candidates__are_found_in_each_language_the_person_writes(
    people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    people.memory(person, "Hat zwei Häuser am See", language="de")
    people.memory(person, "Runs every morning", language="en")
    assert set(await ask(conn, person, "Mein Haus", now, languages=["de"])) == {"Hat zwei Häuser am See"}
    both = await ask(conn, person, "Running to the Haus", now, languages=["de", "en"])
    assert set(both) == {"Hat zwei Häuser am See", "Runs every morning"}


@pytest.mark.parametrize(
    "message",
    [
        "",
        "   ",
        "'",
        "\\",
        "a' | b & !c <-> d:*",
        "%s %(now)s",
        "\x00",
        "'; drop table x; --",
        "🍜" * 500,
        "word " * 6400,
    ],
)
async def test_candidates__any_message_can_be_asked(
    people: People, conn: Connection, now: datetime, message: str
) -> None:
    person = people.person()
    people.memory(person, "It's a d'Artagnan \\ backslash | word")
    found = await ask(conn, person, message, now)
    assert isinstance(found, dict)


async def test_candidates__edited_through_rest_are_found_by_their_new_words_once_screened(
    db: Clone, people: People, conn: Connection, now: datetime
) -> None:
    person = people.person()
    memory_id: UUID = people.memory(person, "Likes ramen")
    with db.as_person(person.user_id) as connection:
        connection.execute("update public.user_memory set memory_text = 'Likes gnocchi' where id = %s", (memory_id,))
    assert not await ask(conn, person, "gnocchi", now)
    edits = await unscreened_edits.list_edits(conn, user_id=person.user_id, limit=1)
    await unscreened_edits.accept_edits(conn, edits, user_id=person.user_id)
    assert set(await ask(conn, person, "gnocchi", now)) == {"Likes gnocchi"}
    assert not await ask(conn, person, "ramen", now)
