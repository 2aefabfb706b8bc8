"""What a person has had for longer than a test lasts, written as the host's backend and as an agent would write it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Self
from uuid import uuid4

import httpx

from keepsake.domain.summaries.six_day_history import HistorySources, PastDay
from keepsake.project.folder import ProjectFolder

Row = dict[str, Any]
NOW = datetime.now(UTC)
LONG_AGO = (NOW - timedelta(days=60)).isoformat()
WEEK = NOW.date() - timedelta(days=NOW.weekday() + 7)
YESTERDAY = NOW.date() - timedelta(days=1)
MONTH = (NOW.date().replace(day=1) - timedelta(days=1)).replace(day=1)


class Seed:
    """The account of a demo person with a primary profile, and its rows."""

    def __init__(self, project: ProjectFolder, email: str) -> None:
        # Without connections kept alive: the server closes an idle one when it likes, perhaps under a request.
        limits = httpx.Limits(max_keepalive_connections=0)
        self._http = httpx.Client(base_url=project.running_or_raise().api_url, timeout=60, limits=limits)
        self._secret_key = project.keys().secret_key
        signed_in = self._http.post("/chat/sign-in", json={"email": email}).json()
        self.user_id: str = signed_in["user_id"]
        self.token: str = signed_in["access_token"]
        query = {"user_id": f"eq.{self.user_id}", "is_primary": "is.true", "select": "id"}
        self.profile_id: str = self._get("user_profile_list", query)[0]["id"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def insert(self, table: str, *rows: Row) -> list[str]:
        """Insert rows of the person, under their primary profile unless a row names another; return the ids."""
        owner = {"user_id": self.user_id, "profile_id": self.profile_id}
        headers = {"apikey": self._secret_key, "prefer": "return=representation"}
        answer = self._http.post(f"/rest/v1/{table}", json=[owner | row for row in rows], headers=headers)
        assert answer.status_code == 201, answer.text
        return [row["id"] for row in answer.json()]

    def add_profile(self, name: str) -> str:
        """Add a profile that is not the primary one."""
        headers = {"apikey": self._secret_key, "prefer": "return=representation"}
        row = {"user_id": self.user_id, "name": name}
        profile_id: str = self._http.post("/rest/v1/user_profile_list", json=row, headers=headers).json()[0]["id"]
        return profile_id

    def remember(self, *texts: str, **columns: Any) -> list[str]:
        """Store memories as they are given, made 60 days ago."""
        row = {"memory_type": "fact", "source": "user", "created_at": LONG_AGO, "valid_from": LONG_AGO, **columns}
        return self.insert("user_memory", *(row | {"memory_text": text} for text in texts))

    def summarize(self, memory_ids: list[str]) -> None:
        """Store one summary of each kind, and that of the same month of the year before."""
        common = {"generator": "rules", "memory_ids": memory_ids, "conversation_count": 3}
        self.insert(
            "user_memory_weekly_summaries",
            common
            | {
                "year": WEEK.isocalendar().year,
                "week_number": WEEK.isocalendar().week,
                "week_start_date": WEEK.isoformat(),
                "week_end_date": (WEEK + timedelta(days=6)).isoformat(),
                "emotional_summary": "Hopeful at first, tired towards the weekend.",
                "summary": "The bakery got its oven. The cello waits.",
                "key_themes": ["bakery", "cello"],
                "dominant_patterns": ["Bakes before dawn"],
                "energy_shifts": ["from hopeful to tired"],
            },
        )
        self._summarize_recent(memory_ids)
        month = common | {"month": MONTH.month, "weekly_summaries_used": 4}
        self.insert(
            "user_memory_monthly_summaries",
            month
            | {
                "year": MONTH.year - 1,
                "emotional_summary": "Mostly worried about money.",
                "cognitive_summary": "Thought about leaving the hotel.",
                "key_themes": ["hotel", "cello"],
            },
            month
            | {
                "year": MONTH.year,
                "emotional_summary": "Proud, and often tired.",
                "cognitive_summary": "Planned the first winter of the bakery.",
                "key_themes": ["bakery", "cello"],
            },
        )

    def _summarize_recent(self, memory_ids: list[str]) -> None:
        """Store the summaries of a day, of six days and of a session, and the spine."""
        common = {"generator": "rules", "memory_ids": memory_ids, "conversation_count": 3}
        day = common | {"summary": "Carried the flour in.", "key_themes": ["flour"]}
        self.insert("user_memory_daily_summaries", day | {"summary_date": YESTERDAY.isoformat()})
        first_day = YESTERDAY - timedelta(days=5)
        said = PastDay(uuid4(), YESTERDAY, str(day["summary"]))
        history = {
            "start_date": first_day.isoformat(),
            "end_date": YESTERDAY.isoformat(),
            "summary": "Six days around the oven.",
            "days_hash": HistorySources(first_day, YESTERDAY, [said]).days_hash,  # so that it is not written anew
        }
        self.insert("user_memory_history_summaries", {"generator": "rules", "memory_ids": memory_ids} | history)
        moments = {"started_at": NOW.isoformat(), "ended_at": NOW.isoformat()}
        (session_id,) = self.insert("user_memory_sessions", moments | {"last_activity_at": NOW.isoformat()})
        session = {"session_id": session_id, "one_liner": "Asked about sourdough.", "ended_at": NOW.isoformat()}
        self.insert("user_memory_session_summaries", session | {"generator": "rules", "source_ids": memory_ids})
        content = {"PROFILE": [{"id": memory_ids[0], "text": "Bakes for a living"}]}
        spine = {"version": 1, "content": content, "message_count": 20, "source_ids": memory_ids[:1]}
        self.insert("user_memory_spine", spine | {"generator": "rules"})

    def ask_to_forget(self, subject: str) -> Row:
        """Ask to forget something, as an agent does by its tool."""
        body = {"operation": "forget", "subject": subject, "user_id": self.user_id}
        answer: Row = self._http.post(
            "/functions/v1/manage-user-memory", json=body, headers={"apikey": self._secret_key}
        ).json()
        return answer

    def rows(self, table: str, **filters: str) -> list[Row]:
        """Rows of the person."""
        return self._get(table, {"user_id": f"eq.{self.user_id}", **filters})

    def _get(self, table: str, query: Row) -> list[Row]:
        rows: list[Row] = self._http.get(f"/rest/v1/{table}", params=query, headers={"apikey": self._secret_key}).json()
        return rows
