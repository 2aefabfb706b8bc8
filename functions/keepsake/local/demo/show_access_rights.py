"""Shows a person who reads, edits and undoes through REST with their own token, and others who get nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from postgrest.exceptions import APIError
from supabase import Client
from supabase_functions.errors import FunctionsHttpError

from keepsake.local.demo.backend import Row, invoke
from keepsake.local.demo.report import Report
from keepsake.local.demo.running_demo import RunningDemo

MEMORY_COLUMNS = (("Ref", 0), ("Type", 0), ("Memory", 60), ("Source", 0), ("Pinned", 0))
DENIAL_COLUMNS = (("Asks for", 0), ("Teo gets", 36), ("Somebody gets", 36))
NEW_TEXT = "Wants to joke in Portuguese"


def show_own_memories(demo: RunningDemo, report: Report) -> None:
    """Read, search, edit, forget and undo as Nora, with supabase-py and her token."""
    report.section(
        "The person's own view",
        "Nora, through PostgREST, with the publishable key and her own token, as a memory panel would.",
    )
    nora = demo.clients["nora"]
    report.code('client.table("user_memory").select("*").eq("is_active", True).order("memory_no")')
    report.line()
    memories = _active_memories(nora)
    report.table(MEMORY_COLUMNS, map(_memory_row, memories))

    report.code('client.rpc("search_user_memory", {"query": "learning Portuguese"})')
    found = _rows(nora.rpc("search_user_memory", {"query": "learning Portuguese"}).execute())
    for memory in found:
        report.line(f"    M-{memory['memory_no']}  {memory['memory_text']}")
    report.line()
    is_found = any("learn" in memory["memory_text"] for memory in found)
    report.expect("A search by word stem finds what she wants to learn.", is_found)

    goal = next(memory["id"] for memory in memories if memory["memory_type"] == "goal")
    _edit(nora, goal, report)
    _forget_and_undo(nora, goal, report)


def _memory_row(memory: Row) -> tuple[str, ...]:
    ref, pinned = f"M-{memory['memory_no']}", "yes" if memory["pinned"] else ""
    return ref, memory["memory_type"], memory["memory_text"], memory["source"], pinned


def _edit(client: Client, memory_id: str, report: Report) -> None:
    report.line()
    report.code(f'client.table("user_memory").update({{"memory_text": "{NEW_TEXT}"}}).eq("id", …)')
    (edited,) = _rows(client.table("user_memory").update({"memory_text": NEW_TEXT}).eq("id", memory_id).execute())
    report.line(f"    M-{edited['memory_no']}  {edited['memory_text']}")
    report.line(f"    confidence {edited['confidence_score']:.2f}, source {edited['source']}\n")
    is_confirmed = edited["confidence_score"] == 1 and edited["source"] == "user"
    report.expect("What she wrote herself is certain, and marked as hers.", is_confirmed)


def _forget_and_undo(client: Client, memory_id: str, report: Report) -> None:
    before = _active_memories(client)
    report.line()
    report.code('client.rpc("forget_memory", {"memory_id": …})')
    operation = cast(Row, client.rpc("forget_memory", {"memory_id": memory_id}).execute().data)
    without = _active_memories(client)
    report.line(f"    {len(before)} current memories, then {len(without)}")
    report.code('client.rpc("undo_operation", {"operation_id": …})')
    client.rpc("undo_operation", {"operation_id": operation["operation_id"]}).execute()
    after = _active_memories(client)
    report.line(f"    {len(after)} again\n")
    is_undone = memory_id not in {memory["id"] for memory in without} and after == before
    report.expect("What she forgets is gone; undo brings back exactly what was there.", is_undone)


def show_denials(demo: RunningDemo, report: Report) -> None:
    """Ask for Nora's data as Teo, and without a token."""
    report.section("Everybody else", "The same data, asked for by Teo with his own token, and by somebody with none.")
    before, teo = demo.memories()["nora"], demo.clients["teo"]
    answers = {name: (_answer(call, teo), _answer(call, demo.anonymous)) for name, call in _attempts(demo).items()}
    report.table(DENIAL_COLUMNS, [(name, *answer) for name, answer in answers.items()])
    nothing = not any(text.startswith("!!") for answer in answers.values() for text in answer)
    unchanged = demo.memories()["nora"] == before
    report.expect(f"{2 * len(answers)} requests, and nothing came back, and nothing changed.", nothing and unchanged)
    readable = {row["user_id"] for row in _rows(teo.table("user_memory").select("*").execute())}
    report.expect("All that Teo can read is his own.", readable == {str(demo.user_ids["teo"])})


def _attempts(demo: RunningDemo) -> dict[str, Callable[[Client], Any]]:
    """Return requests for Nora's data that must be denied to others."""
    nora, memory, chat = str(demo.user_ids["nora"]), str(demo.memories()["nora"][0]["id"]), demo.script.chats[0]
    message = {"conversation_id": str(chat.id), "message_id": str(chat.turns[0].id)}
    forged = {"user_id": nora, "profile_id": str(demo.script.actors["nora"].profile_id), "memory_text": "Likes spam"}
    return {
        "all of Nora's memories": lambda c: c.table("user_memory").select("*").eq("user_id", nora).execute(),
        "one of them by its id": lambda c: c.table("user_memory").select("*").eq("id", memory).execute(),
        "to rewrite it": lambda c: c.table("user_memory").update({"memory_text": "!"}).eq("id", memory).execute(),
        "to forget it": lambda c: c.rpc("forget_memory", {"memory_id": memory}).execute(),
        "to plant one": lambda c: c.table("user_memory").insert(forged).execute(),
        "her private conversation": lambda c: c.table("messages").select("*").eq("conversation_id", chat.id).execute(),
        "a context made for her": lambda c: invoke(c, "inject-memory", **message),
    }


def _answer(call: Callable[[Client], Any], client: Client) -> str:
    """Describe what a request returned; data, which it must not return, begins with ``!!``."""
    try:
        answer = call(client)
    except APIError as error:
        return f"{error.message} ({error.code})"
    except FunctionsHttpError as error:
        return f"{error.message} ({error.status})"
    rows = getattr(answer, "data", answer)
    return "0 rows" if rows == [] else f"!! {rows}"


def _active_memories(client: Client) -> list[Row]:
    query = client.table("user_memory").select("*").eq("is_active", value=True)
    return _rows(query.order("memory_no").execute())


def _rows(answer: Any) -> list[Row]:
    return cast(list[Row], answer.data)
