"""Who is not the person gets nothing of theirs, by any verb on any table or RPC that PostgREST exposes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import LiteralString

import httpx
import pytest

from keepsake.operations.migrate import migrate
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.people import Account, People
from tests.fixtures.rest import Rest, serve
from tests.fixtures.servers import Cluster
from tests.rest.access import FUNCTIONS, TABLES, exposed_functions, exposed_tables, granted
from tests.rest.attempts import Attempt, assert_denied, assert_nothing_of_theirs, attempts
from tests.rest.intruders import INTRUDERS, Intruder
from tests.rest.victim import Victim, everything_of, make_victim

FAULTS: list[tuple[str, LiteralString]] = [
    ("user_memory", 'alter policy "People see their own memories" on user_memory using (true)'),
    ("user_memory", "grant insert on user_memory to anon; create policy planted on user_memory using (true)"),
    ("messages", "create policy planted on messages for select to anon, authenticated using (true)"),
    ("user_profile_list", "create policy planted on user_profile_list for insert with check (true)"),
    ("user_memory_settings", "alter table user_memory_settings disable row level security"),
    ("conversations", "grant select on conversations to anon"),
]

by_every_intruder = pytest.mark.parametrize("intruder", INTRUDERS, ids=lambda intruder: intruder.name)


@dataclass(frozen=True)
class Scene:
    """The database, the one whose things are reached for, and somebody with things of their own."""

    db: Clone
    rest: Rest
    victim: Victim
    other: Account
    before: dict[str, list[str]] = field(repr=False)
    """Everything there is of the victim, before anybody reached for it."""

    def visit(self, intruder: Intruder) -> httpx.Client:
        """A client of one of those who must get nothing."""
        return self.rest.with_token(intruder.token(self.victim.account, self.other))


@pytest.fixture(scope="module")
def scene(db: Clone, rest: Rest) -> Scene:
    return make_scene(db, rest)


def make_scene(db: Clone, rest: Rest) -> Scene:
    """Somebody with something in every table, and somebody else."""
    people = People(db, FixedClock(datetime.now(UTC).replace(microsecond=0)))
    ben = people.person("Ben")
    people.says(ben, people.conversation(ben), "I play the cello.")
    people.memory(ben, "Plays the cello")
    victim = make_victim(db, people)
    return Scene(db, rest, victim, ben, everything_of(db, victim))


def test_every_exposed_object__is_in_the_access_list(db: Clone) -> None:
    """A new table, view or RPC has to be decided on before anything else."""
    assert exposed_tables(db) == set(TABLES)
    assert exposed_functions(db) == set(FUNCTIONS)


def test_exposed_objects__a_new_one_is_noticed(cluster: Cluster, template: str) -> None:
    with clone(cluster, template) as copy:
        copy.run("create view public.planted as select 1 as x")
        copy.run("create function public.planted() returns int language sql as 'select 1'")
        assert exposed_tables(copy) - set(TABLES) == {"planted"}
        assert exposed_functions(copy) - set(FUNCTIONS) == {"planted"}


def test_privileges__are_the_same_in_a_project_whose_defaults_grant_everything(db: Clone, cluster: Cluster) -> None:
    """Projects made before 2026 grant all on every new object to everybody; the migrations take that back."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=True)) as legacy:
        before = legacy.value("select count(*) from pg_default_acl where defaclacl::text like '%%anon=%%'")
        assert before == 3, "these are not the old defaults"
        migrate(legacy.owner_url)
        assert granted(legacy) == granted(db)


@pytest.mark.parametrize("role", ["public", "anon"])
def test_privileges__a_stranger_has_none(db: Clone, role: str) -> None:
    assert not [line for line in granted(db) if f" {role} " in line]


@pytest.mark.parametrize("table", TABLES)
def test_owner__reads_their_row(scene: Scene, table: str) -> None:
    """The same request, by the person themselves, finds what nobody else finds."""
    theirs = {name: f"eq.{value}" for name, value in scene.victim.row(table).items()}
    answer = scene.rest.as_person(scene.victim.account.user_id).get(f"/{table}", params=theirs)
    assert len(answer.json()) == 1
    assert any(secret in answer.text.casefold() for secret in scene.victim.secrets())


@pytest.mark.parametrize("table", TABLES)
@by_every_intruder
def test_table__gives_an_intruder_nothing_and_takes_nothing(scene: Scene, intruder: Intruder, table: str) -> None:
    try_everything(scene, intruder, table)


NAMING_ONE = {"memory_id", "operation_id", "entity_id", "proposal_id"}
"""The arguments that name one thing, which an intruder is told does not exist."""


def try_everybody(scene: Scene, table: str) -> None:
    """Let every intruder try everything on a table."""
    for intruder in INTRUDERS:
        try_everything(scene, intruder, table)


def try_everything(scene: Scene, intruder: Intruder, table: str) -> None:
    """Make every attempt on a table, judge each answer, and look whether anything is different afterwards."""
    client = scene.visit(intruder)
    for attempt in attempts(scene.victim, table, str(scene.other.user_id)):
        answer = attempt.by(client)
        assert_nothing_of_theirs(answer, scene.victim)
        assert_denied(attempt, answer, signed_in=intruder.signed_in)
    assert everything_of(scene.db, scene.victim) == scene.before


@pytest.mark.parametrize("function", FUNCTIONS)
@by_every_intruder
def test_rpc__gives_an_intruder_nothing_and_takes_nothing(scene: Scene, intruder: Intruder, function: str) -> None:
    client = scene.visit(intruder)
    arguments = {name: str(scene.victim.ids.get(value, value)) for name, value in FUNCTIONS[function].items()}
    for verb, given in (("POST", "json"), ("GET", "params"), ("HEAD", "params")):
        answer = Attempt(verb, f"/rpc/{function}", {given: arguments}).by(client)
        assert_nothing_of_theirs(answer, scene.victim)
        if not intruder.signed_in and verb != "HEAD":  # whose answer nobody needs Postgres need not even call
            assert answer.status_code == 401, answer.text
        elif verb == "POST" and not arguments.keys().isdisjoint(NAMING_ONE):
            assert answer.status_code in {400, 404} or answer.text == "[]", answer.text
    assert everything_of(scene.db, scene.victim) == scene.before


@by_every_intruder
def test_openapi__tells_an_intruder_nothing(scene: Scene, intruder: Intruder) -> None:
    """The document of the interface names what the role may use, and no row; a stranger finds nothing in it."""
    answer = scene.visit(intruder).get("/")
    assert_nothing_of_theirs(answer, scene.victim)
    if intruder.name in {"nobody", "anon"}:
        assert list(answer.json()["paths"]) == ["/"]
    elif not intruder.signed_in:
        assert answer.status_code == 401


@pytest.mark.parametrize("table, fault", FAULTS)
def test_matrix__is_red_when_a_fault_is_planted(
    cluster: Cluster, template: str, tmp_path: Path, table: str, fault: LiteralString
) -> None:
    """What the matrix asserts is not true by itself: each of these faults breaks it."""
    with clone(cluster, template) as copy:
        copy.run(fault)
        with serve(copy, tmp_path) as rest:
            scene = make_scene(copy, rest)
            with pytest.raises(AssertionError):
                try_everybody(scene, table)


@pytest.mark.parametrize("name", ["unknown", "pg_catalog.pg_user", "keepsake.changes", "auth.users"])
@pytest.mark.parametrize("profile", [None, "keepsake", "auth", "pg_catalog"])
def test_what_is_not_exposed__cannot_be_reached(scene: Scene, name: str, profile: str | None) -> None:
    """Private schemas are unknown to PostgREST, whichever profile header asks for them."""
    client = scene.rest.as_person(scene.other.user_id)
    headers = {"accept-profile": profile, "content-profile": profile} if profile else {}
    for path in (f"/{name}", f"/rpc/{name}", f"/{name.rsplit('.', maxsplit=1)[-1]}"):
        for answer in (client.get(path, headers=headers), client.post(path, json={}, headers=headers)):
            assert answer.status_code in {404, 406}, (path, answer.text)
            assert_nothing_of_theirs(answer, scene.victim)
