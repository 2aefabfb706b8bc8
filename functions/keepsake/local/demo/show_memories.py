"""Shows what was remembered and what was refused, each with the words and the reason behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from psycopg.rows import DictRow

from keepsake.local.demo.replay import LOST
from keepsake.local.demo.report import Report
from keepsake.local.demo.setup import Stage

REMEMBERED = (("Ref", 0), ("Type", 0), ("Memory", 30), ("Conf.", 0), ("From the words", 34), ("State", 0))
LEFT_BY_RULES = {"quoted", "supposed", "hedged", "asked"}
REFUSED = (("Who", 0), ("Said", 50), ("Stopped by", 0), ("Because", 30))


def show_remembered(stage: Stage, report: Report) -> None:
    """List each person's memories, and check that every turn kept what it should, and history is linked."""
    report.part(
        "What was remembered, and why",
        "Only a person's own words are a source, and each memory cites those it rests on.",
    )
    said_again = Counter(
        result["memory_id"]
        for outcome in stage.evidence.outcomes()
        for result in outcome["results"] or ()
        if result["action"] == "reinforced"
    )
    for key, actor in stage.script.actors.items():
        memories = stage.evidence.remembered(stage.user_ids[key])
        report.line(f"{actor.name}, {actor.timezone}", style="bold")
        report.table(REMEMBERED, [_memory_row(memory, said_again[str(memory["id"])]) for memory in memories])
    _expect_remembered(stage, report)


def show_refused(stage: Stage, report: Report) -> None:
    """List the turns that made no memory, each with what the record of it says."""
    report.part(
        "What was refused, and why",
        "Every turn leaves a finished record, without its text, so that nothing later digs it up again.",
    )
    outcomes = {outcome["message_id"]: outcome for outcome in stage.evidence.outcomes()}
    rows = []
    for turn in stage.script.said_by_people():
        outcome = outcomes[turn.id]
        if not outcome["results"]:
            name = stage.script.actors[turn.who].name
            rows.append((name, turn.says, _record(outcome), turn.because or ""))
    report.table(REFUSED, rows)
    unwanted = [turn.says for turn in stage.script.said_by_people() if turn.because and outcomes[turn.id]["results"]]
    report.expect("Questions, hedges, quotations, secrets and the swiss conversation made no memory.", not unwanted)
    report.expect("Every turn ended: extracted or skipped, none pending, none in quarantine.", _all_ended(outcomes))
    lost = [turn for turn in stage.script.said_by_people() if turn.webhook == LOST]
    found = all(outcomes[turn.id]["status"] == "extracted" for turn in lost)
    report.expect("A turn that the backend never reported was found by run-due-jobs.", bool(lost) and found)


def _expect_remembered(stage: Stage, report: Report) -> None:
    by_id = {m["id"]: m for user_id in stage.user_ids.values() for m in stage.evidence.remembered(user_id)}
    results = {outcome["message_id"]: outcome["results"] or [] for outcome in stage.evidence.outcomes()}
    for turn in stage.script.said_by_people():
        texts = [by_id[UUID(result["memory_id"])]["text"] for result in results[turn.id]]
        if turn.keeps and not any(turn.keeps.lower() in text.lower() for text in texts):
            report.expect(f"“{turn.says}” is remembered with “{turn.keeps}” (it gave: {texts})", holds=False)
    nora = stage.evidence.remembered(stage.user_ids["nora"])
    report.expect("The favourite food is ramen; pizza is history, linked to it.", _replaced(nora, "pizza", "ramen"))
    report.expect("Home is Lisbon; Austin is history, linked to it.", _replaced(nora, "lives in austin", "lisbon"))
    report.expect("Mum is 69; what was said a minute before is history.", _replaced(nora, "68", "69"))
    dogs = [memory for memory in nora if "biscuit" in memory["text"].lower()]
    report.expect("The dog was mentioned twice and is stored once.", len(dogs) == 1)
    feelings = [memory for memory in nora if memory["type"] == "emotion"]
    report.expect("A feeling lives six hours: last week's is over, this morning's is not.", _one_is_over(feelings))
    report.expect("Nobody holds a memory made from the other's words.", _own_words_only(stage))
    report.expect(
        "“Please forget that” took the cat, and the context told the assistant so.", _forgotten(stage, "Pixel")
    )


def _replaced(memories: Sequence[DictRow], old: str, new: str) -> bool:
    before = [memory for memory in memories if old in memory["text"].lower()]
    after = [memory for memory in memories if new in memory["text"].lower() and memory["status"] == "active"]
    links = {(memory["memory_no"], memory["replaced_by"]) for memory in before if memory["status"] == "superseded"}
    return any((memory["replaces"], memory["memory_no"]) in links for memory in after)


def _one_is_over(feelings: Sequence[DictRow]) -> bool:
    return sorted(_is_over(feeling) for feeling in feelings) == [False, True]


def _own_words_only(stage: Stage) -> bool:
    said_by = {turn.id: stage.user_ids[turn.who] for turn in stage.script.said_by_people()}
    return all(
        said_by.get(memory["source_message_id"], user_id) == user_id
        for user_id in stage.user_ids.values()
        for memory in stage.evidence.remembered(user_id)
    )


def _all_ended(outcomes: dict[UUID, DictRow]) -> bool:
    return all(outcome["status"] in {"extracted", "skipped"} for outcome in outcomes.values())


def _forgotten(stage: Stage, name: str) -> bool:
    """Whether what a command asked to forget is gone, softly, and its context said so with the way back."""
    held = [memory for user_id in stage.user_ids.values() for memory in stage.evidence.remembered(user_id)]
    told = [given.injection["context"] for given in stage.replay.given.values() if given.injection["command_result"]]
    gone = [memory["status"] for memory in held if name in memory["text"]] == ["deleted"]
    return gone and any(name in context and "undo that" in context for context in told)


def _memory_row(memory: DictRow, said_again: int) -> tuple[str, ...]:
    words = f"“{memory['quote']}”" if memory["quote"] else f"({memory['source'].replace('_', ' ')})"
    state = _state(memory) + (", said twice" if said_again else "")
    return f"M-{memory['memory_no']}", memory["type"], memory["text"], f"{memory['confidence']:.2f}", words, state


def _state(memory: DictRow) -> str:
    if memory["status"] == "superseded":
        return f"replaced by M-{memory['replaced_by']}" if memory["replaced_by"] else "superseded"
    if _is_over(memory):
        return f"over since {memory['expires_at']:%d %b}"
    if memory["status"] != "active":
        return str(memory["status"])
    if memory["expires_at"]:
        return f"current for {_roughly(memory['expires_at'] - datetime.now(UTC))}"
    return f"current, replaces M-{memory['replaces']}" if memory["replaces"] else "current"


def _roughly(left: timedelta) -> str:
    hours = round(left.total_seconds() / 3600)
    return f"{hours} h" if hours < 48 else f"{round(hours / 24)} days"


def _is_over(memory: DictRow) -> bool:
    lapsed = memory["expires_at"] is not None and memory["expires_at"] <= datetime.now(UTC)
    return memory["status"] == "expired" or (memory["status"] == "active" and lapsed)


def _record(outcome: DictRow) -> str:
    """Who stopped the turn and why, as its record has it."""
    if outcome["status"] == "skipped":
        return f"guard: {outcome['reason']}"
    by_screen = [reason for reason in outcome["dropped"] if reason not in LEFT_BY_RULES]
    if by_screen:
        return f"screen: {', '.join(by_screen)}"
    return f"rules: {', '.join(outcome['dropped']) or 'no statement'}"
