"""A turn with an agent on the whole stack: what is asked, what the scripted model says, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.acceptance.backend import Backend
from tests.fixtures.people import Account

QUESTION = "What should I cook tonight? My sister Ida visits."
TOOL_CALL = {"content": None, "tool_calls": [{"name": "find_recipe", "arguments": {"dish": "ramen"}}]}
ANSWER = {"content": "Ramen for two."}


@dataclass(frozen=True)
class Talk:
    """A conversation on the whole stack."""

    backend: Backend
    person: Account
    id: UUID

    def check_turn(self) -> None:
        """The turn is saved, what was said is remembered, and the answer knows by which memories it was written."""
        self.backend.run_jobs()
        assert "Sister is named Ida" in self.backend.texts(self.person)
        said = {(row["role"], row["content"]): row for row in self.messages()}
        assert ("user", QUESTION) in said
        answer = said["assistant", ANSWER["content"]]
        (ramen,) = self.backend.remembered(self.person, memory_text="ilike.*ramen*")
        assert ramen["id"] in answer["meta"]["memory_ids"]

    def messages(self) -> list[dict[str, Any]]:
        """What was said so far."""
        query = {"conversation_id": f"eq.{self.id}", "select": "role,content,meta"}
        rows: list[dict[str, Any]] = self.backend.as_service().get("/rest/v1/messages", params=query).json()
        return rows
