"""Shows a person reading, editing and undoing through REST with their own token, and another person getting nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from postgrest.exceptions import APIError
from supabase import Client
from supabase_functions.errors import FunctionsHttpError

from keepsake.local.demo.backend import Row, invoke, refusal
from keepsake.local.demo.report import Report
from keepsake.local.demo.setup import Stage

READ = (("Ref", 0), ("Type", 0), ("Memory", 60), ("Source", 0), ("Pinned", 0))
REFUSALS = (("Asks for", 0), ("Teo gets", 36), ("Somebody gets", 36))


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a request came back with, in words, and whether that was nothing."""

    text: str
    nothing: bool


def show_rest(stage: Stage, report: Report) -> None:
    """Let Nora read, find, edit, forget and undo, with nothing but supabase-py and her token."""
    report.part(
        "The person's own view",
        "Nora, through PostgREST, with the publishable key and her own token, as a memory panel would.",
    )
    nora = stage.people["nora"]
    report.code('client.table("user_memory").select("*").eq("is_active", True).order("memory_no")')
    report.line()
    memories = _current(nora)
    report.table(READ, [_memory_row(memory) for memory in memories])
    _find(nora, report)
    goal = next(memory for memory in memories if memory["memory_type"] == "goal")
    _edit(nora, report, goal)
    _forget_and_undo(nora, report, goal)


def show_isolation(stage: Stage, report: Report) -> None:
    """Let Teo, and then somebody without a token, ask for what is Nora's."""
    report.part("Everybody else", "The same data, asked for by Teo with his own token, and by somebody with none.")
    before = stage.evidence.remembered(stage.user_ids["nora"])
    teo = stage.people["teo"]
    requests = _requests(stage)
    answers = {what: (_answer(ask, teo), _answer(ask, stage.nobody)) for what, ask in requests.items()}
    report.table(REFUSALS, [(what, by_teo.text, by_nobody.text) for what, (by_teo, by_nobody) in answers.items()])
    nothing = all(answer.nothing for pair in answers.values() for answer in pair)
    unchanged = stage.evidence.remembered(stage.user_ids["nora"]) == before
    report.expect(f"{2 * len(answers)} requests, and nothing came back, and nothing changed.", nothing and unchanged)
    own = {row["user_id"] for row in _rows(teo.table("user_memory").select("*").execute())}
    report.expect("All that Teo can read is his own.", own == {str(stage.user_ids["teo"])})


def _find(nora: Client, report: Report) -> None:
    report.code('client.rpc("search_user_memory", {"query": "learning Portuguese"})')
    found = _rows(nora.rpc("search_user_memory", {"query": "learning Portuguese"}).execute())
    for memory in found:
        report.line(f"    M-{memory['memory_no']}  {memory['memory_text']}")
    report.line()
    report.expect(
        "A search by word stem finds what she wants to learn.", any("learn" in m["memory_text"] for m in found)
    )


def _edit(nora: Client, report: Report, goal: Row) -> None:
    better = "Wants to joke in Portuguese"
    report.line()
    report.code(f'client.table("user_memory").update({{"memory_text": "{better}"}}).eq("id", …)')
    edit = nora.table("user_memory").update({"memory_text": better}).eq("id", goal["id"]).execute()
    (edited,) = _rows(edit)
    report.line(f"    M-{edited['memory_no']}  {edited['memory_text']}")
    report.line(f"    confidence {edited['confidence_score']:.2f}, source {edited['source']}")
    report.line()
    confirmed = edited["confidence_score"] == 1 and edited["source"] == "user"
    report.expect("What she wrote herself is certain, and marked as hers.", confirmed)


def _forget_and_undo(nora: Client, report: Report, goal: Row) -> None:
    before = _current(nora)
    report.line()
    report.code('client.rpc("forget_memory", {"memory_id": …})')
    forgotten = cast(Row, nora.rpc("forget_memory", {"memory_id": goal["id"]}).execute().data)
    without = _current(nora)
    report.line(f"    {len(before)} current memories, then {len(without)}")
    report.code('client.rpc("undo_operation", {"operation_id": …})')
    nora.rpc("undo_operation", {"operation_id": forgotten["operation_id"]}).execute()
    after = _current(nora)
    report.line(f"    {len(after)} again")
    report.line()
    gone = goal["id"] not in {memory["id"] for memory in without}
    report.expect("What she forgets is gone; undo brings back exactly what was there.", gone and after == before)


def _requests(stage: Stage) -> dict[str, Callable[[Client], Any]]:
    """What a curious person might try against Nora's rows."""
    nora = str(stage.user_ids["nora"])
    memory = str(stage.evidence.remembered(stage.user_ids["nora"])[0]["id"])
    chat = stage.script.chats[0]
    turn = {"conversation_id": str(chat.id), "message_id": str(chat.turns[0].id)}
    forged = {"user_id": nora, "profile_id": str(stage.script.actors["nora"].profile_id)}
    return {
        "all of Nora's memories": lambda c: c.table("user_memory").select("*").eq("user_id", nora).execute(),
        "one of them by its id": lambda c: c.table("user_memory").select("*").eq("id", memory).execute(),
        "to rewrite it": lambda c: c.table("user_memory").update({"memory_text": "!"}).eq("id", memory).execute(),
        "to forget it": lambda c: c.rpc("forget_memory", {"memory_id": memory}).execute(),
        "to plant one": lambda c: c.table("user_memory").insert({**forged, "memory_text": "Likes spam"}).execute(),
        "her private conversation": lambda c: c.table("messages").select("*").eq("conversation_id", chat.id).execute(),
        "a context made for her": lambda c: invoke(c, "inject-memory", turn),
    }


def _answer(ask: Callable[[Client], Any], client: Client) -> _Answer:
    try:
        answer = ask(client)
    except APIError as error:
        return _Answer(f"{error.message} ({error.code})", nothing=True)
    except FunctionsHttpError as error:
        return _Answer(refusal(error), nothing=True)
    rows = getattr(answer, "data", answer)
    return _Answer("0 rows" if rows == [] else f"!! {rows}", nothing=rows == [])


def _current(client: Client) -> list[Row]:
    columns = client.table("user_memory").select("*").eq("is_active", value=True)
    return _rows(columns.order("memory_no").execute())


def _rows(answer: Any) -> list[Row]:
    return cast(list[Row], answer.data)


def _memory_row(memory: Row) -> tuple[str, ...]:
    pinned = "yes" if memory["pinned"] else ""
    return f"M-{memory['memory_no']}", memory["memory_type"], memory["memory_text"], memory["source"], pinned
