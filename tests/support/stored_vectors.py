"""Vectors written straight into the database, and the stems of a text, for tests of what is found with them."""

from __future__ import annotations

from uuid import UUID

from tests.fixtures.db import Clone
from tests.fixtures.people import Account


def embedded(db: Clone, person: Account, memory_id: UUID, vector: tuple[float, float]) -> None:
    """Give a memory its vector."""
    db.run(
        "insert into keepsake.memory_vectors (user_id, memory_id, profile_id, model, vector)"
        " values (%s, %s, %s, 'small', %s)",
        (person.user_id, memory_id, person.profile_id, str(list(vector))),
    )


def words_of(db: Clone, text: str) -> set[str]:
    """The text's stems."""
    return {row["lexeme"] for row in db.all("select lexeme from unnest(to_tsvector('english', %s))", (text,))}
