"""The state of a persona: its rolling summary, and whether that waits for the model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from psycopg.rows import class_row

from keepsake.domain.summaries.conversation_rules_form import ConversationSummary
from keepsake.domain.summaries.conversation_sources import ConversationSources
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import PersonaKey, ProfileKey
from keepsake.store.summaries import Authorship, outlines_of

_SQL = queries.load("persona_rolling_summaries")


@dataclass(frozen=True, slots=True)
class PersonaState:
    """What is stored between a person and a persona."""

    id: UUID
    user_id: UUID
    profile_id: UUID
    persona_id: str | None
    refresh_due_at: datetime | None

    @property
    def profile(self) -> ProfileKey:
        """Whose state it is."""
        return ProfileKey(self.user_id, self.profile_id)

    @property
    def persona(self) -> PersonaKey:
        """Whose state it is, and with which persona."""
        return PersonaKey(self.user_id, self.profile_id, self.persona_id)


async def find(conn: Connection, *, user_id: UUID, state_id: UUID) -> PersonaState | None:
    """The state of a persona; None where it is gone."""
    return await _SQL["find_state"].one(conn, class_row(PersonaState), user_id=user_id, id=state_id)


async def lock(conn: Connection, *, user_id: UUID, state_id: UUID) -> PersonaState | None:
    """The state of a persona, locked; None where it is gone."""
    return await _SQL["lock_state"].one(conn, class_row(PersonaState), user_id=user_id, id=state_id)


async def model_wait(conn: Connection, *, user_id: UUID, state_id: UUID) -> ModelWait:
    """How long the rolling summary has waited for the model."""
    found = await _SQL["model_wait"].one(conn, class_row(ModelWait), user_id=user_id, id=state_id)
    return found or ModelWait()


async def follow_conversation(
    conn: Connection,
    sources: ConversationSources,
    summary: ConversationSummary,
    authorship: Authorship,
    *,
    conversation_id: UUID,
    now: datetime,
) -> None:
    """Make the short form of the newest conversation's summary the rolling summary between its person and persona."""
    await _SQL["follow_conversation"].execute(
        conn,
        conversation_id=conversation_id,
        rolling_summary=summary.rolling_summary,
        outlines=outlines_of({"rolling_summary": summary.outline} if summary.outline else {}),
        memory_ids=list(dict.fromkeys(memory.id for turn in sources.turns for memory in turn.memories)),
        message_ids=sources.message_ids,
        newest_id=sources.message_ids[-1],
        **asdict(authorship),
        now=now,
    )


async def finish(conn: Connection, state: PersonaState, *, due_at: datetime | None) -> None:
    """Note that a state was looked at, and when it is to be looked at again, if the model is to be asked again.

    Where its rolling summary was removed, that of the conversation is written again.
    """
    await _SQL["mark_conversation"].execute(conn, user_id=state.user_id, id=state.id)
    await _SQL["finish"].execute(conn, user_id=state.user_id, id=state.id, due_at=due_at)


async def note_wait(conn: Connection, state: PersonaState, wait: ModelWait | None) -> None:
    """Note that the rolling summary waits for the model; with None, that it waits no more."""
    key = {"user_id": state.user_id, "id": state.id}
    if wait is None:
        await _SQL["stop_waiting"].execute(conn, **key)
    else:
        await _SQL["wait_for_model"].execute(conn, **key, **asdict(wait))
