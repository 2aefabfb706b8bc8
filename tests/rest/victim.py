"""Somebody with something in every table, every word of it marked, so that any of it is known wherever it turns up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from psycopg.types.json import Jsonb

from tests.fixtures.db import Clone, Connection
from tests.fixtures.people import Account, People
from tests.rest.dump import rows_that_say

CANARY = "canary"


@dataclass(frozen=True)
class Victim:
    """The ids of what belongs to them, by what it is."""

    account: Account
    ids: dict[str, UUID]

    def row(self, table: str) -> dict[str, str]:
        """The key of their row in a table."""
        conversation_id, user_id = str(self.ids["conversation"]), str(self.account.user_id)
        return {
            "conversation_summaries": {"conversation_id": conversation_id},
            "conversations": {"id": conversation_id},
            "conversations_participants": {"conversation_id": conversation_id, "user_id": user_id},
            "messages": {"id": str(self.ids["message"])},
            "user_memory": {"id": str(self.ids["memory"])},
            "user_memory_alias_proposals": {"id": str(self.ids["proposal"])},
            "user_memory_daily_summaries": {"id": str(self.ids["day"])},
            "user_memory_forgotten_summaries": {"id": str(self.ids["forgotten"])},
            "user_memory_history_summaries": {"id": str(self.ids["history"])},
            "user_memory_monthly_summaries": {"id": str(self.ids["month"])},
            "user_memory_yearly_comparisons": {"id": str(self.ids["year"])},
            "user_memory_weekly_summaries": {"id": str(self.ids["week"])},
            "user_memory_entities": {"id": str(self.ids["entity"])},
            "user_memory_place_mentions": {"id": str(self.ids["mention"])},
            "user_memory_places": {"id": str(self.ids["place"])},
            "user_memory_session_state": {"id": str(self.ids["state"])},
            "user_memory_session_summaries": {"id": str(self.ids["session_summary"])},
            "user_memory_sessions": {"id": str(self.ids["session"])},
            "user_memory_settings": {"user_id": user_id},
            "user_memory_spine": {"id": str(self.ids["spine"])},
            "user_memory_todos": {"id": str(self.ids["todo"])},
            "user_profile_list": {"id": str(self.account.profile_id)},
        }[table]

    def secrets(self) -> set[str]:
        """What may stand in nobody else's answers: the mark, and every id."""
        return {CANARY, *map(str, self.ids.values())}


def make_victim(db: Clone, people: People) -> Victim:
    """Fill every table for one person, through the writers a host has, and as the service."""
    ada = people.person("Canary", nickname="canary-nick", pronouns="canary/canaries")
    conversation = people.conversation(ada, title="canary title")
    message = people.says(ada, conversation, "canary: my favourite food is ramen")
    memory = people.memory(
        ada,
        "Favorite food is canary ramen",
        value="canary",
        memory_key="fact|person|self|favorite_canary",
        source_quote="canary quote",
        conversation_id=conversation,
        source_message_id=message,
        entity_refs=["person:canary_anna", "person:canary_anne"],
    )
    deleted = people.memory(ada, "Deleted canary", status="deleted", deleted_at=datetime.now(UTC))
    _fill_as_service(db, ada, conversation, message)
    with db.as_person(ada.user_id) as person:
        person.execute("update public.user_memory set memory_text = 'Favorite canary' where id = %s", (memory,))
    operation = db.value("select operation_id from keepsake.changes where row_id = %s and action = 'update'", (memory,))
    pending = db.value(
        "insert into keepsake.commands (user_id, text_hash, kind, status, outcome, said_at)"
        " values (%s, '', 'agent_forget', 'pending', jsonb_build_object('memory_ids', array[%s::text]), now())"
        " returning id",
        (ada.user_id, memory),
    )
    ids = {
        "user": ada.user_id,
        "profile": ada.profile_id,
        "conversation": conversation,
        "message": message,
        "memory": memory,
        "deleted_memory": deleted,
        "operation": operation,
        "pending": pending,
        **_made_by_the_service(db, ada),
    }
    return Victim(ada, ids)


def _made_by_the_service(db: Clone, ada: Account) -> dict[str, UUID]:
    """What is known of their entities and places."""
    rows = {
        "entity": "select id from public.user_memory_entities where key = 'person:canary_anna' and user_id = %s",
        "proposal": "select id from public.user_memory_alias_proposals where user_id = %s",
        "place": "select id from public.user_memory_places where user_id = %s",
        "mention": "select id from public.user_memory_place_mentions where user_id = %s",
        "todo": "select id from public.user_memory_todos where user_id = %s",
        "spine": "select id from public.user_memory_spine where user_id = %s",
        "session": "select id from public.user_memory_sessions where user_id = %s",
        "session_summary": "select id from public.user_memory_session_summaries where user_id = %s",
        "state": "select id from public.user_memory_session_state where user_id = %s",
        "day": "select id from public.user_memory_daily_summaries where user_id = %s",
        "forgotten": "select id from public.user_memory_forgotten_summaries where user_id = %s",
        "history": "select id from public.user_memory_history_summaries where user_id = %s",
        "week": "select id from public.user_memory_weekly_summaries where user_id = %s",
        "month": "select id from public.user_memory_monthly_summaries where user_id = %s",
        "year": "select id from public.user_memory_yearly_comparisons where user_id = %s",
    }
    return {name: db.value(query, (ada.user_id,)) for name, query in rows.items()}


def everything_of(db: Clone, victim: Victim) -> dict[str, list[str]]:
    """Every row of the database, in whatever schema, that mentions one of the victim's ids or the mark."""
    return rows_that_say(db, victim.secrets())


def _fill_as_service(db: Clone, ada: Account, conversation: UUID, message: UUID) -> None:
    """What only the service writes."""
    with db.as_service() as service:
        service.execute(
            "insert into public.conversation_summaries (conversation_id, summary, through_message_id)"
            " values (%s, 'canary summary', %s)",
            (conversation, message),
        )
        service.execute(
            "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
            " values (%s, %s, 'person:canary_anna', 'person:canary_anne', 0.9)",
            (ada.user_id, ada.profile_id),
        )
        service.execute(
            "insert into public.user_memory_places (user_id, profile_id, place_id, name, notes)"
            " values (%s, %s, 'canary-home', 'Canary home', 'canary street')",
            (ada.user_id, ada.profile_id),
        )
        service.execute(
            "insert into public.user_memory_place_mentions"
            " (user_id, profile_id, place, conversation_id, source_message_id)"
            " select user_id, profile_id, id, %s, %s from public.user_memory_places where user_id = %s",
            (conversation, message, ada.user_id),
        )
        service.execute(
            "insert into public.user_memory_todos"
            " (user_id, profile_id, kind, todo_text, source_quote, conversation_id, source_message_id)"
            " values (%s, %s, 'commitment', 'Canary to-do', 'canary quote', %s, %s)",
            (ada.user_id, ada.profile_id, conversation, message),
        )
        service.execute(
            "with session as ("
            "insert into public.user_memory_sessions (user_id, profile_id, started_at, last_activity_at)"
            " values (%(user)s, %(profile)s, now(), now()) returning id), state as ("
            "insert into public.user_memory_session_state (user_id, profile_id, last_interaction, rolling_summary)"
            " values (%(user)s, %(profile)s, now(), 'canary of late'))"
            " insert into public.user_memory_session_summaries"
            " (user_id, profile_id, session_id, ended_at, one_liner, tone, generator)"
            " select %(user)s, %(profile)s, id, now(), 'canary session', 'canary tone', 'rules' from session",
            {"user": ada.user_id, "profile": ada.profile_id},
        )
        _fill_sessions(service, ada)
        _summarize(service, ada)
        service.execute(
            "insert into public.user_memory_settings (user_id, retention_days) values (%s, %s)",
            (ada.user_id, Jsonb({"fact": 4242})),
        )


def _fill_sessions(service: Connection, ada: Account) -> None:
    """What is told of sessions, and the spine."""
    service.execute(
        "insert into public.user_memory_spine (user_id, profile_id, version, content, message_count, generator)"
        " values (%s, %s, 1, %s, 20, 'rules')",
        (ada.user_id, ada.profile_id, Jsonb({"PROFILE": [{"id": str(ada.user_id), "text": "canary spine"}]})),
    )


def _summarize(service: Connection, ada: Account) -> None:
    """A summary of each level."""
    for level, columns, values in (
        ("daily_summaries", "summary_date, summary", "'2024-10-31', 'canary day'"),
        (
            "history_summaries",
            "start_date, end_date, summary, days_hash",
            "'2024-10-25', '2024-10-30', 'canary history', 'canary'",
        ),
        (
            "weekly_summaries",
            "year, week_number, week_start_date, week_end_date, emotional_summary, summary",
            "2024, 44, '2024-10-28', '2024-11-03', 'canary feeling', 'canary week'",
        ),
        (
            "monthly_summaries",
            "year, month, emotional_summary, cognitive_summary",
            "2024, 10, 'canary feeling', 'canary month'",
        ),
        ("yearly_comparisons", "year, month, growth, source_ids", "2024, 10, 'canary growth', '{}'"),
    ):
        statement = (
            f"insert into public.user_memory_{level} (user_id, profile_id, generator, {columns})"
            f" values (%s, %s, 'rules', {values})"
        )
        service.execute(statement.encode(), (ada.user_id, ada.profile_id))
    service.execute(
        "insert into public.user_memory_forgotten_summaries (user_id, profile_id, kind, first_date)"
        " values (%s, %s, 'day', '2024-10-01')",
        (ada.user_id, ada.profile_id),
    )
