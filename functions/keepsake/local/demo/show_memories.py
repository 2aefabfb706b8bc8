"""Shows which memories exist, which messages made none, and where the typed secrets are stored."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from psycopg.rows import DictRow

from keepsake.local.demo.read_database import count_log_lines
from keepsake.local.demo.report import CONFIDENCE, Report
from keepsake.local.demo.running_demo import RunningDemo

MEMORY_COLUMNS = (("Ref", 0), ("Type", 0), ("Memory", 30), (CONFIDENCE, 0), ("From the words", 34), ("State", 0))
REFUSAL_COLUMNS = (("Who", 0), ("Said", 50), ("Stopped by", 0), ("Because", 30))
SOURCES = {"seeded_profile": "(from their profile)"}
RULE_REASONS = {"quoted", "supposed", "hedged", "asked"}


def show_memories(demo: RunningDemo, report: Report) -> None:
    """List each person's memories, and check them."""
    report.section(
        "What was remembered, and why",
        "Only a person's own words are a source, and each memory cites those it rests on.",
    )
    for key, memories in demo.memories().items():
        actor = demo.script.actors[key]
        report.line(f"{actor.name}, {actor.timezone}", style="bold")
        report.table(MEMORY_COLUMNS, map(_memory_row, memories))
    _check_memories(demo, report)


def _memory_row(memory: DictRow) -> tuple[str, ...]:
    words = f"“{memory['quote']}”" if memory["quote"] else SOURCES.get(memory["source"], f"({memory['source']})")
    ref, confidence = f"M-{memory['memory_no']}", f"{memory['confidence']:.2f}"
    return ref, memory["type"], memory["text"], confidence, words, memory["state"]


def _check_memories(demo: RunningDemo, report: Report) -> None:
    memories, outcomes = demo.memories(), demo.probe.outcomes()
    texts = {memory["id"]: memory["text"] for of_person in memories.values() for memory in of_person}
    for turn in demo.script.user_turns():
        found = [texts[UUID(result["memory_id"])] for result in outcomes[turn.id]["results"] or ()]
        if turn.expect and not any(turn.expect.lower() in text.lower() for text in found):
            report.expect(f"“{turn.text}” is remembered with “{turn.expect}” (it gave: {found})", is_met=False)
    nora = memories["nora"]
    report.expect("The favourite food is ramen; pizza is history, linked to it.", _is_replaced(nora, "pizza", "ramen"))
    report.expect("Home is Lisbon; Austin is history, linked to it.", _is_replaced(nora, "lives in austin", "lisbon"))
    report.expect("Mum is 69; what was said a minute before is history.", _is_replaced(nora, "68", "69"))
    doubts = [memory["text"] for memory in nora if memory["state"].startswith("does it still hold?")]
    report.expect(
        "“Not at Atelier Norte any more” casts doubt on the job; the person is asked.", doubts == [demo.script.doubted]
    )
    dogs = [memory for memory in nora if "biscuit" in memory["text"].lower()]
    report.expect("The dog was mentioned twice and is stored once.", len(dogs) == 1)
    feelings = sorted(memory["is_over"] for memory in nora if memory["type"] == "emotion")
    report.expect("A feeling lives six hours: last week's is over, this morning's is not.", feelings == [False, True])
    author_of = {turn.id: turn.author for turn in demo.script.user_turns()}
    own = all(author_of.get(m["source_message_id"], key) == key for key, ms in memories.items() for m in ms)
    report.expect("Nobody holds a memory made from the other's words.", own)
    contexts = [injection["context"] for _, _, injection in demo.injections if injection["command_result"]]
    reported = any("Pixel" in context and "undo that" in context for context in contexts)
    cat = [memory["status"] for memory in memories["teo"] if "Pixel" in memory["text"]]
    report.expect(
        "“Please forget that” took the cat, and the context told the assistant so.", reported and cat == ["deleted"]
    )


def _is_replaced(memories: Sequence[DictRow], old: str, new: str) -> bool:
    before = [memory for memory in memories if old in memory["text"].lower() and memory["status"] == "superseded"]
    after = [memory for memory in memories if new in memory["text"].lower() and memory["status"] == "active"]
    links = {(memory["memory_no"], memory["replaced_by"]) for memory in before}
    return any((memory["replaces"], memory["memory_no"]) in links for memory in after)


def show_refusals(demo: RunningDemo, report: Report) -> None:
    """List the messages that made no memory, each with the recorded reason."""
    report.section(
        "What was refused, and why",
        "Every turn leaves a finished record, without its text, so that nothing later digs it up again.",
    )
    outcomes, turns, actors = demo.probe.outcomes(), demo.script.user_turns(), demo.script.actors
    refused = [turn for turn in turns if not outcomes[turn.id]["results"]]
    report.table(
        REFUSAL_COLUMNS,
        [(actors[turn.author].name, turn.text, _stopped_by(outcomes[turn.id]), turn.reason or "") for turn in refused],
    )
    unwanted = [turn for turn in turns if turn.reason and turn not in refused]
    report.expect("Questions, hedges, quotations, secrets and the swiss conversation made no memory.", not unwanted)
    finished = all(outcome["status"] in {"extracted", "skipped"} for outcome in outcomes.values())
    report.expect("Every turn ended: extracted or skipped, none pending, none in quarantine.", finished)
    unreported = [outcomes[turn.id]["status"] for turn in turns if not turn.is_reported]
    report.expect("A turn that the backend never reported was found by run-due-jobs.", unreported == ["extracted"])


def _stopped_by(outcome: DictRow) -> str:
    """The stage that stopped a message, and its reason."""
    if outcome["status"] == "skipped":
        return f"guard: {outcome['reason']}"
    if screened := [reason for reason in outcome["dropped"] if reason not in RULE_REASONS]:
        return f"screen: {', '.join(screened)}"
    return f"rules: {', '.join(outcome['dropped']) or 'no statement'}"


def show_secrets(demo: RunningDemo, report: Report) -> None:
    """Search each table and each log line for each secret, also without its punctuation and as search lexemes."""
    report.section(
        "Where the secrets are",
        "The chat keeps what was typed; that is its own business. Nothing that Keepsake writes may hold it.",
    )
    for i, (name, secret) in enumerate(demo.script.secrets.items()):
        if i:
            report.line()
        search = demo.probe.find_secret(secret)
        lines, matching = count_log_lines(secret, demo.logs)
        tables = ", ".join(f"{table} ({count} row)" for table, count in search.found.items()) or "nowhere"
        report.line(f"  {name}: searched {search.tables} tables, {search.rows:,} rows, {lines:,} log lines")
        report.line(f"  {' ' * len(name)}  found in {tables}\n")
        only_in_chat = search.found == {"public.messages": 1} and not matching
        report.expect(f"The {name} stands in the chat's own message, and nowhere else.", only_in_chat)
