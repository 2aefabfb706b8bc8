"""The access list of what PostgREST exposes: what a signed-in person may do with each table, column and RPC.

It is written by hand and compared with the database's own catalog, so whatever is new has to be decided here first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.fixtures.db import Clone


@dataclass(frozen=True)
class Table:
    """What a person may write in a table they may read their own rows of."""

    key: tuple[str, ...] = ("id",)
    insert: frozenset[str] = frozenset()
    update: frozenset[str] = frozenset()
    delete: bool = False


_PROFILE = frozenset({"name", "nickname", "pronouns", "is_primary", "timezone", "locale", "birth_chart"})
_CHOICES = frozenset(
    {"building", "enabled", "allowed_types", "retention_days", "long_term", "every_chat", "onboarding_seen_at"}
)

TABLES = {
    "conversation_summaries": Table(key=("conversation_id",)),
    "conversations": Table(
        insert=frozenset({"id", "user_id", "mode", "persona_id", "title"}), update=frozenset({"title"})
    ),
    "conversations_participants": Table(key=("conversation_id", "user_id")),
    "messages": Table(insert=frozenset({"id", "conversation_id", "user_id", "role", "content"})),
    "user_memory": Table(update=frozenset({"memory_text", "pinned", "importance", "expires_at"})),
    "user_memory_alias_proposals": Table(),
    "user_memory_daily_summaries": Table(),
    "user_memory_entities": Table(),
    "user_memory_forgotten_summaries": Table(),
    "user_memory_history_summaries": Table(),
    "user_memory_monthly_summaries": Table(),
    "user_memory_place_mentions": Table(),
    "user_memory_places": Table(update=frozenset({"name", "notes"})),
    # user_id is settable because an upsert sets it again; the policies allow no other value than one's own.
    "user_memory_session_state": Table(),
    "user_memory_session_summaries": Table(),
    "user_memory_sessions": Table(),
    "user_memory_spine": Table(),
    "user_memory_settings": Table(key=("user_id",), insert=_CHOICES | {"user_id"}, update=_CHOICES | {"user_id"}),
    "user_memory_todos": Table(update=frozenset({"todo_text", "kind", "status", "due_date"})),
    "user_memory_weekly_summaries": Table(),
    "user_memory_yearly_comparisons": Table(),
    "user_profile_list": Table(insert=_PROFILE | {"id", "user_id"}, update=_PROFILE, delete=True),
}
"""Every table, with what a person may write."""

FUNCTIONS: dict[str, dict[str, str]] = {
    "add_entity_alias": {"entity_id": "entity", "alias": "forged"},
    "answer_pending_operation": {"operation_id": "pending", "accept": "true"},
    "clear_my_memories": {},
    "confirm_alias": {"proposal_id": "proposal"},
    "confirm_memory": {"memory_id": "memory"},
    "end_memory": {"memory_id": "memory"},
    "forget_memory": {"memory_id": "memory"},
    "forget_place": {"place": "place"},
    "forget_summary": {"summary": "day"},
    "forget_todo": {"todo": "todo"},
    "memory_operations": {"memory_id": "memory"},
    "memory_overview": {},
    "memory_participation": {"conversation_id": "conversation"},
    "memory_profiles": {},
    "pending_operations": {},
    "refuse_alias": {"proposal_id": "proposal"},
    "remove_entity_alias": {"entity_id": "entity", "alias": "canary alias"},
    "rename_entity": {"entity_id": "entity", "label": "forged"},
    "restore_memory": {"memory_id": "deleted_memory"},
    "save_message": {
        "message_id": "message",
        "conversation_id": "conversation",
        "user_id": "user",
        "role": "user",
        "content": "forged",
        "replace": "true",
    },
    "search_user_memory": {"query": "canary"},
    "set_memory_persona": {"memory_id": "memory", "persona_id": "forged"},
    "source_message": {"message_id": "message"},
    "undo_operation": {"operation_id": "operation"},
}
"""Every RPC, with the arguments by which one would reach for somebody else's."""


def exposed_tables(db: Clone) -> set[str]:
    """Everything in `public` that holds or shows rows."""
    found = db.all(
        "select relname::text from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')"
    )
    return {row["relname"] for row in found}


EMBEDS = {"conversations"}
"""What is embedded in a row of a table, by a function that takes the row and can be called in no other way."""


def exposed_functions(db: Clone) -> set[str]:
    """Everything in `public` that can be called."""
    found = db.all("select proname::text from pg_proc where pronamespace = 'public'::regnamespace")
    return {row["proname"] for row in found} - EMBEDS


def columns(db: Clone, table: str) -> dict[str, str]:
    """The columns of a table with their types."""
    found = db.all(
        "select attname::text, atttypid::regtype::text as type from pg_attribute"
        " where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped",
        (f"public.{table}",),
    )
    return {row["attname"]: row["type"] for row in found}


def writable_columns(db: Clone, table: str, privilege: str, role: str = "authenticated") -> set[str]:
    """The columns that a role holds INSERT or UPDATE on, by the catalog."""
    return {
        name
        for name in columns(db, table)
        if db.value("select has_column_privilege(%s, %s, %s, %s)", (role, f"public.{table}", name, privilege))
    }


def granted(db: Clone) -> set[str]:
    """Every privilege on what is exposed, as lines of text: the object, who, what."""
    found = db.all("""
        select format('table %%s %%s %%s', c.relname, coalesce(r.rolname, 'public'), a.privilege_type) as line
        from pg_class as c cross join aclexplode(c.relacl) as a left join pg_roles as r on r.oid = a.grantee
        where c.relnamespace = 'public'::regnamespace
        union all
        select format('column %%s.%%s %%s %%s', c.relname, t.attname, coalesce(r.rolname, 'public'), a.privilege_type)
        from pg_class as c join pg_attribute as t on t.attrelid = c.oid cross join aclexplode(t.attacl) as a
        left join pg_roles as r on r.oid = a.grantee where c.relnamespace = 'public'::regnamespace
        union all
        select format('function %%s %%s %%s', p.proname, coalesce(r.rolname, 'public'), a.privilege_type)
        from pg_proc as p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
        left join pg_roles as r on r.oid = a.grantee where p.pronamespace = 'public'::regnamespace
    """)
    return {row["line"] for row in found}


def forged(type_name: str, now: Any) -> Any:
    """A value of a column's type that nobody wrote there."""
    known = {
        "uuid": "00000000-0000-4000-8000-00000000f0e9",
        "boolean": not now,
        "jsonb": {"forged": True},
        "timestamp with time zone": "2001-01-01T00:00:00+00:00",
        "tsvector": "forged",
        "memory_type": "pattern",
        "memory_type[]": ["pattern"],
        "text[]": ["person:forged"],
        "text": "forged",
    }
    return known.get(type_name, 2)
