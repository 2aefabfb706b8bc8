"""What docs/existing-tables.md says lets in people of another sign-in, each to their own rows only."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from keepsake.identity import Caller, Person
from keepsake.infra.auth.authenticate import Authenticator
from keepsake.infra.settings import Settings
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.rest import Rest
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL
from tests.local.test_docs import PAGES, blocks, code

ADA, BEN = "auth0|5f7c8ec7", "auth0|it's ben"


def _token(external_id: str) -> str:
    """A token as the code of the page signs it."""
    (source,) = [
        block["code"]
        for page in PAGES
        for block in blocks(page)
        if (block["kind"], block["name"]) == ("python", "external token")
    ]
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 (our own page)
    return str(names["keepsake_token"](external_id, supabase_url=PROJECT_URL, jwt_secret=JWT_SECRET))


def _add(db: Clone, people: People, external_id: str) -> Account:
    """Run the statement of the page as the owner, twice, as a backend may; then the person has a profile."""
    quoted = "'" + external_id.replace("'", "''") + "'"
    with db.as_owner() as owner:
        for _ in range(2):
            owner.execute(code("external person").replace("$1", f"{quoted}::text").encode())
        owner.commit()
    user_id: UUID = db.value("select id from auth.users where raw_app_meta_data ->> 'external_id' = %s", (external_id,))
    return Account(user_id, people.profile(user_id, "Ada", is_primary=True), "Ada", "")


async def test_people_of_another_sign_in__have_their_own_memories(
    db: Clone, people: People, rest: Rest, settings: Settings
) -> None:
    ada, ben = _add(db, people, ADA), _add(db, people, BEN)
    people.memory(ada, "Likes tea")
    people.memory(ben, "Likes coffee")
    for person, external_id, text in ((ada, ADA, "Likes tea"), (ben, BEN, "Likes coffee")):
        token = _token(external_id)
        rows = rest.with_token(token).get("/user_memory", params={"source": "neq.seeded_profile"}).json()
        assert [row["memory_text"] for row in rows] == [text]
        headers = {"authorization": f"Bearer {token}"}
        identity = await Authenticator(settings).authenticate(frozenset({Caller.PERSON}), headers, b"")
        assert isinstance(identity, Person)
        assert identity.user_id == person.user_id
