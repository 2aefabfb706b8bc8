"""The whole answer to who may do what: each table, column and call of the exposed schema, for each of four people.

An object that stands in none of these lists fails the build.
"""

from __future__ import annotations

OWNER, OTHER, ANON, NOBODY = "owner", "other", "anon", "nobody"
WHO = (OWNER, OTHER, ANON, NOBODY)

# What the database says: rows touched, nothing there, no right to the table or column, not one's own row.
ROWS, NOTHING, DENIED, REFUSED = "rows", "nothing", "denied", "refused"
MINE = (ROWS, NOTHING, DENIED, NOTHING)  # allowed on one's own, and there is nothing of others
GIVEN = (ROWS, REFUSED, DENIED, REFUSED)  # allowed in one's own name only
CLOSED = (DENIED, DENIED, DENIED, DENIED)

TABLES: dict[str, dict[str, tuple[str, str, str, str]]] = {
    "user_profile_list": {"select": MINE, "insert": GIVEN, "delete": MINE},
    "conversations": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "conversations_participants": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "messages": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "conversation_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_settings": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "user_memory_places": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_place_mentions": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_todos": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_spine": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_sessions": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_session_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_session_state": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_entities": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_forgotten_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_history_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_daily_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_monthly_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_yearly_comparisons": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_weekly_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_alias_proposals": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
}

# The columns a person may change on their own rows, and give on new ones; every other column is the server's.
UPDATABLE = {
    "user_profile_list": "name nickname pronouns is_primary timezone locale birth_chart",
    "conversations": "title",
    "conversations_participants": "",
    "messages": "",
    "conversation_summaries": "",
    "user_memory": "memory_text pinned importance expires_at",
    "user_memory_settings": (
        "user_id building enabled allowed_types retention_days long_term every_chat onboarding_seen_at"
    ),
    "user_memory_entities": "",
    "user_memory_daily_summaries": "",
    "user_memory_forgotten_summaries": "",
    "user_memory_history_summaries": "",
    "user_memory_monthly_summaries": "",
    "user_memory_yearly_comparisons": "",
    "user_memory_weekly_summaries": "",
    "user_memory_alias_proposals": "",
    "user_memory_places": "name notes",
    "user_memory_todos": "todo_text kind status due_date",
    "user_memory_sessions": "",
    "user_memory_spine": "",
    "user_memory_session_summaries": "",
    "user_memory_session_state": "",
    "user_memory_place_mentions": "",
}
INSERTABLE = {
    "user_profile_list": "id user_id name nickname pronouns is_primary timezone locale birth_chart",
    "conversations": "id user_id mode persona_id title",
    "conversations_participants": "",
    "messages": "id conversation_id user_id role content",
    "conversation_summaries": "",
    "user_memory": "",
    "user_memory_settings": (
        "user_id building enabled allowed_types retention_days long_term every_chat onboarding_seen_at"
    ),
    "user_memory_entities": "",
    "user_memory_daily_summaries": "",
    "user_memory_forgotten_summaries": "",
    "user_memory_history_summaries": "",
    "user_memory_monthly_summaries": "",
    "user_memory_yearly_comparisons": "",
    "user_memory_weekly_summaries": "",
    "user_memory_alias_proposals": "",
    "user_memory_places": "",
    "user_memory_todos": "",
    "user_memory_sessions": "",
    "user_memory_spine": "",
    "user_memory_session_summaries": "",
    "user_memory_session_state": "",
    "user_memory_place_mentions": "",
}

NEW_ROWS = {
    "user_profile_list": "insert into public.user_profile_list (user_id, name) values (%(owner)s, 'x')",
    "conversations": "insert into public.conversations (user_id) values (%(owner)s)",
    "conversations_participants": (
        "insert into public.conversations_participants (conversation_id, user_id) values (%(conversation)s, %(caller)s)"
    ),
    "messages": (
        "insert into public.messages (conversation_id, user_id, role, content)"
        " values (%(conversation)s, %(owner)s, 'user', 'x')"
    ),
    "conversation_summaries": (
        "insert into public.conversation_summaries (conversation_id, summary) values (%(conversation)s, 'x')"
    ),
    "user_memory": (
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type)"
        " values (%(owner)s, %(profile)s, 'x', 'fact')"
    ),
    "user_memory_settings": (
        "insert into public.user_memory_settings (user_id, building) values (%(owner)s, true)"
        " on conflict (user_id) do update set user_id = excluded.user_id, building = excluded.building"
    ),
    "user_memory_entities": (
        "insert into public.user_memory_entities (user_id, profile_id, key, label)"
        " values (%(owner)s, %(profile)s, 'person:x', 'x')"
    ),
    "user_memory_places": (
        "insert into public.user_memory_places (user_id, profile_id, place_id, name)"
        " values (%(owner)s, %(profile)s, 'work', 'Work')"
    ),
    "user_memory_place_mentions": (
        "insert into public.user_memory_place_mentions (user_id, profile_id, place)"
        " values (%(owner)s, %(profile)s, %(place)s)"
    ),
    "user_memory_spine": (
        "insert into public.user_memory_spine (user_id, profile_id, version, content, message_count, generator)"
        " values (%(owner)s, %(profile)s, 1, '{}', 20, 'rules')"
    ),
    "user_memory_sessions": (
        "insert into public.user_memory_sessions (id, user_id, profile_id, started_at, last_activity_at)"
        " values ('00000000-0000-4000-8000-000000000001', %(owner)s, %(profile)s, now(), now())"
    ),
    "user_memory_session_summaries": (
        "insert into public.user_memory_session_summaries (user_id, profile_id, session_id, ended_at, one_liner,"
        " generator) values (%(owner)s, %(profile)s, '00000000-0000-4000-8000-000000000001', now(), 'x', 'rules')"
    ),
    "user_memory_session_state": (
        "insert into public.user_memory_session_state (user_id, profile_id, last_interaction)"
        " values (%(owner)s, %(profile)s, now())"
    ),
    "user_memory_todos": (
        "insert into public.user_memory_todos (user_id, profile_id, kind, todo_text)"
        " values (%(owner)s, %(profile)s, 'commitment', 'x')"
    ),
    "user_memory_daily_summaries": (
        "insert into public.user_memory_daily_summaries (user_id, profile_id,"
        " summary_date, summary, generator)"
        " values (%(owner)s, %(profile)s, '2024-10-31', 'x', 'rules')"
    ),
    "user_memory_forgotten_summaries": (
        "insert into public.user_memory_forgotten_summaries (user_id, profile_id, kind, first_date)"
        " values (%(owner)s, %(profile)s, 'day', '2024-10-01')"
    ),
    "user_memory_history_summaries": (
        "insert into public.user_memory_history_summaries (user_id, profile_id,"
        " start_date, end_date, summary, days_hash, generator)"
        " values (%(owner)s, %(profile)s, '2024-10-25', '2024-10-30', 'x', 'x', 'rules')"
    ),
    "user_memory_weekly_summaries": (
        "insert into public.user_memory_weekly_summaries (user_id, profile_id,"
        " year, week_number, week_start_date, week_end_date, emotional_summary, summary, generator)"
        " values (%(owner)s, %(profile)s, 2024, 44, '2024-10-28', '2024-11-03', 'x', 'x', 'rules')"
    ),
    "user_memory_monthly_summaries": (
        "insert into public.user_memory_monthly_summaries (user_id, profile_id,"
        " year, month, emotional_summary, generator)"
        " values (%(owner)s, %(profile)s, 2024, 10, 'x', 'rules')"
    ),
    "user_memory_yearly_comparisons": (
        "insert into public.user_memory_yearly_comparisons (user_id, profile_id,"
        " year, month, growth, source_ids, generator)"
        " values (%(owner)s, %(profile)s, 2024, 10, 'x', '{}', 'rules')"
    ),
    "user_memory_alias_proposals": (
        "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
        " values (%(owner)s, %(profile)s, 'person:x', 'person:y', 1)"
    ),
}

# The call, and what each gets: a count of the owner's memories touched or found, or the refusal's code.
DONE, EMPTY, MISSING, FORBIDDEN = 1, 0, "PT404", "42501"
CALLS: dict[str, tuple[str, tuple[int | str, int | str, int | str, int | str]]] = {
    "forget_memory(uuid)": (
        "select (public.forget_memory(%(memory)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "restore_memory(uuid)": (
        "select (public.restore_memory(%(forgotten)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "end_memory(uuid)": (
        "select (public.end_memory(%(memory)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "confirm_memory(uuid)": (
        "select (public.confirm_memory(%(memory)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "undo_operation(uuid)": (
        "select (public.undo_operation(%(operation)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "answer_pending_operation(uuid,boolean)": (
        "select (public.answer_pending_operation(%(pending)s, true) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "pending_operations()": (
        "select count(*) from public.pending_operations()",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "clear_my_memories()": (
        "select (public.clear_my_memories() ->> 'affected')::int",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_overview()": (
        "select (public.memory_overview() ->> 'active')::int",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_operations(integer,uuid)": (
        "select least(count(*), 1)::int from public.memory_operations(memory_id => %(memory)s)",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_profiles()": (
        "select least(count(*), 1)::int from public.memory_profiles() where user_id = %(owner)s",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_participation(uuid)": (
        "select count(*) from public.memory_participation(%(conversation)s) where user_id = %(owner)s",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "source_message(uuid)": (
        "select count(*) from public.source_message(%(message)s)",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "save_message(uuid,uuid,uuid,text,text,boolean)": (
        "select 1 from public.save_message(gen_random_uuid(), %(conversation)s, %(owner)s, 'user', 'Hi')",
        (FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
    ),
    "set_memory_persona(uuid,text)": (
        "select (public.set_memory_persona(%(memory)s, 'coach') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "forget_place(uuid)": (
        "select (public.forget_place(%(place)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "forget_summary(uuid)": (
        "select (public.forget_summary(%(day)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "forget_todo(uuid)": (
        "select (public.forget_todo(%(todo)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "rename_entity(uuid,text)": (
        "select (public.rename_entity(%(entity)s, 'Annette') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "add_entity_alias(uuid,text)": (
        "select (public.add_entity_alias(%(entity)s, 'Annie') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "remove_entity_alias(uuid,text)": (
        "select 1 + (public.remove_entity_alias(%(entity)s, 'Bo') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "confirm_alias(uuid)": (
        "select least(1, (public.confirm_alias(%(proposal)s) ->> 'affected')::int)",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "refuse_alias(uuid)": (
        "select (public.refuse_alias(%(proposal)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "conversations(user_memory)": (
        (
            "select count(*) from public.conversations(jsonb_populate_record(null::public.user_memory,"
            " jsonb_build_object('conversation_id', %(conversation)s::text)))"
        ),
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "search_user_memory(text,memory_type[],integer)": (
        "select count(*) from public.search_user_memory('ramen')",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
}
