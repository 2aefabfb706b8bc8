"""Keepsake's tables in the schema ``public``, by their names."""

from __future__ import annotations

PERSONAL = (
    "user_memory",
    "user_memory_alias_proposals",
    "user_memory_daily_summaries",
    "user_memory_entities",
    "user_memory_forgotten_summaries",
    "user_memory_history_summaries",
    "user_memory_monthly_summaries",
    "user_memory_place_mentions",
    "user_memory_places",
    "user_memory_session_state",
    "user_memory_session_summaries",
    "user_memory_sessions",
    "user_memory_settings",
    "user_memory_spine",
    "user_memory_todos",
    "user_memory_weekly_summaries",
    "user_memory_yearly_comparisons",
)
"""What is remembered of people."""
ALONE = ("user_profile_list", "conversations_participants")
"""Tables of a chat, each made in ``public`` if its name is free there."""
TOGETHER = ("conversations", "messages", "conversation_summaries")
"""Tables of a chat that are made in ``public`` only if the application has none of these names."""
