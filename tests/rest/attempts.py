"""Every way to reach through PostgREST for somebody else's row, and what each may come back with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.rest.victim import CANARY, Victim

SINGLE = {"accept": "application/vnd.pgrst.object+json"}
PREFERENCES = (
    "return=representation",
    "return=minimal",  # what comes back has to be readable, what does not has not
    "resolution=merge-duplicates,return=representation",
    "resolution=merge-duplicates,return=minimal",
    "resolution=ignore-duplicates,return=representation",
)
CHANGES: dict[str, dict[str, Any]] = {
    "conversation_summaries": {"summary": "forged"},
    "conversations": {"title": "forged"},
    "conversations_participants": {"memory_enabled": False},
    "messages": {"content": "forged"},
    "user_memory": {"memory_text": "Forged"},
    "user_memory_alias_proposals": {"status": "confirmed"},
    "user_memory_daily_summaries": {"summary": "forged"},
    "user_memory_entities": {"label": "Forged"},
    "user_memory_forgotten_summaries": {"kind": "week"},
    "user_memory_history_summaries": {"summary": "forged"},
    "user_memory_monthly_summaries": {"emotional_summary": "forged"},
    "user_memory_yearly_comparisons": {"growth": "forged"},
    "user_memory_weekly_summaries": {"emotional_summary": "forged"},
    "user_memory_place_mentions": {"mentioned_at": "2001-01-01T00:00:00+00:00"},
    "user_memory_places": {"name": "Forged"},
    "user_memory_session_state": {"rolling_summary": "forged"},
    "user_memory_session_summaries": {"one_liner": "forged"},
    "user_memory_sessions": {"turn_count": 7},
    "user_memory_settings": {"enabled": False},
    "user_memory_spine": {"version": 7},
    "user_memory_todos": {"todo_text": "Forged"},
    "user_profile_list": {"name": "Forged"},
}
"""A change to a row of each table, in a column that its owner might write."""


@dataclass(frozen=True)
class Attempt:
    """One request."""

    verb: str
    path: str
    given: dict[str, Any]

    def by(self, client: httpx.Client) -> httpx.Response:
        """Make it; on a connection of its own, because PostgREST closes one after HEAD without saying so."""
        headers = {"connection": "close", **self.given.get("headers", {})}
        return client.request(self.verb, self.path, **{**self.given, "headers": headers})


def attempts(victim: Victim, table: str, author: str) -> Iterator[Attempt]:
    """Every verb on the victim's row of a table; `author` is whose a forged row says it is."""
    key = victim.row(table)
    theirs = {name: f"eq.{value}" for name, value in key.items()}
    path = f"/{table}"
    yield Attempt("GET", path, {})
    yield Attempt("GET", path, {"params": theirs})
    yield Attempt("GET", path, {"params": theirs, "headers": SINGLE})
    yield Attempt("GET", path, {"params": {"select": "*", "limit": "5"}, "headers": {"accept": "text/csv"}})
    yield Attempt("HEAD", path, {"params": theirs, "headers": {"prefer": "count=exact"}})
    yield Attempt("PATCH", path, {"params": theirs, "json": CHANGES[table]})
    yield Attempt("PATCH", path, {"params": theirs, "json": CHANGES[table] | ownership(table, author)})
    yield Attempt("PATCH", path, {"params": theirs, "json": CHANGES[table], "headers": {"prefer": "return=minimal"}})
    yield Attempt("DELETE", path, {"params": theirs})
    yield Attempt("DELETE", path, {"params": theirs, "headers": {"prefer": "return=minimal"}})
    for row in forged_rows(victim, table, author):
        put = {**row, **key}
        primary = {*key, "user_id"} if table.startswith("user_memory") else {*key}  # PostgREST asks for the whole of it
        yield Attempt("PUT", path, {"params": {name: f"eq.{put[name]}" for name in sorted(primary)}, "json": put})
        for preference in PREFERENCES:
            yield Attempt("POST", path, {"json": row, "headers": {"prefer": preference}})
            yield Attempt("POST", path, {"json": [{**row, **key}], "headers": {"prefer": preference}})


def ownership(table: str, author: str) -> dict[str, str]:
    """The column that says whose a row is, where the table has one."""
    return {} if table == "conversation_summaries" else {"user_id": author}


def _forged_sessions(victim: Victim) -> dict[str, dict[str, str]]:
    """What a row of a to-do, of sessions, of the spine and of the history needs."""
    profile = {"profile_id": str(victim.account.profile_id)}
    past = "2001-01-01T00:00:00+00:00"
    return {
        "user_memory_forgotten_summaries": {**profile, "kind": "day", "first_date": "2024-10-02"},
        "user_memory_history_summaries": {
            **profile,
            "start_date": "2024-10-24",
            "end_date": "2024-10-29",
            "days_hash": "forged",
            "generator": "rules",
        },
        "user_memory_session_state": {**profile, "persona_id": "forged", "last_interaction": past},
        "user_memory_session_summaries": {
            **profile,
            "session_id": str(victim.ids["session"]),
            "ended_at": past,
            "generator": "rules",
        },
        "user_memory_sessions": {**profile, "started_at": past, "last_activity_at": past},
        "user_memory_spine": {**profile, "message_count": "20", "generator": "rules"},
        "user_memory_todos": {**profile, "kind": "commitment"},
    }


def forged_rows(victim: Victim, table: str, author: str) -> Iterator[dict[str, Any]]:
    """A row that would stand among the victim's: said to be theirs, and said to be the writer's own."""
    place = {"conversation_id": str(victim.ids["conversation"])}
    needed: dict[str, dict[str, str]] = {
        "conversation_summaries": place,
        "conversations": {"id": str(uuid4())},
        "conversations_participants": place,
        "messages": {**place, "role": "user"},
        "user_memory": {"profile_id": str(victim.account.profile_id), "memory_type": "fact"},
        "user_memory_alias_proposals": {
            "profile_id": str(victim.account.profile_id),
            "key": "person:a",
            "variant": "person:b",
        },
        "user_memory_daily_summaries": {
            "profile_id": str(victim.account.profile_id),
            "summary_date": "2024-10-30",
            "generator": "rules",
        },
        "user_memory_monthly_summaries": {
            "profile_id": str(victim.account.profile_id),
            "year": "2024",
            "month": "9",
            "generator": "rules",
        },
        "user_memory_yearly_comparisons": {
            "profile_id": str(victim.account.profile_id),
            "year": "2024",
            "month": "9",
            "generator": "rules",
            "source_ids": "{}",
        },
        "user_memory_weekly_summaries": {
            "profile_id": str(victim.account.profile_id),
            "year": "2024",
            "week_number": "43",
            "summary": "forged",
            "week_start_date": "2024-10-21",
            "week_end_date": "2024-10-27",
            "generator": "rules",
        },
        "user_memory_entities": {"profile_id": str(victim.account.profile_id), "key": "person:forged"},
        **_forged_sessions(victim),
    }
    row = {**CHANGES[table], **needed.get(table, {})}
    yield row | ownership(table, str(victim.account.user_id))
    if table not in {"conversations", "user_memory_settings", "user_profile_list"}:
        yield row | ownership(table, author)  # of one's own conversation, settings or profile this would be right


def assert_nothing_of_theirs(answer: httpx.Response, victim: Victim) -> None:
    """The answer is no failure of ours, and holds nothing of the victim's that the request did not hold."""
    asked = f"{answer.request.url}{answer.request.content.decode()}".casefold()
    said = f"{answer.headers}{answer.text}".casefold()
    leaked = {secret for secret in victim.secrets() if secret in said and secret not in asked}
    assert not leaked, (answer.request, said)
    assert answer.status_code < httpx.codes.INTERNAL_SERVER_ERROR, (answer.request, said)
    assert not (answer.is_success and CANARY in answer.text.casefold()), (answer.request, said)


def assert_denied(attempt: Attempt, answer: httpx.Response, *, signed_in: bool) -> None:
    """The refusal is of its kind: 401 for whoever is nobody; else nothing is found, or it is an error; never a row."""
    seen = (attempt, answer.status_code, answer.text)
    if not signed_in:
        assert answer.status_code == 401, seen
    elif attempt.verb == "HEAD" and answer.is_success:
        assert answer.headers["content-range"].endswith("/0"), seen
    elif attempt.verb in {"PATCH", "DELETE"}:
        assert answer.status_code in {400, 403, 204} or answer.text == "[]", seen
    elif attempt.verb in {"POST", "PUT"}:
        assert answer.status_code in {400, 403, 409} or answer.text == "[]", seen
