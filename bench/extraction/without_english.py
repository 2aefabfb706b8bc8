"""Replays conversations in six languages with a capable model, as they are and with the readers of English closed.

A row is what a capable model proposed for a message: a memory, as for ``bench.extraction.believe``, or to-dos. Each
message passes what it passes in the product, without a database: check, rules beside it, screening, merging, to-dos,
commands. What is stored, with its key and period, what ends, and what is to be done are compared line by line.

    python -m bench.extraction.without_english [FILE…]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from bench.extraction.believe import sources_of
from keepsake.domain.context.answer_preferences import answer_slot
from keepsake.domain.english import similarity
from keepsake.domain.entities.references import with_entities
from keepsake.domain.evidence import written_dates
from keepsake.domain.extraction import resolve_relative_date
from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_answer_preferences import resolve_preferences
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.extraction.precise_statements import precise_statements
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Candidate, Memory, MemoryType
from keepsake.domain.merging import contradictions, fulfilled_plans, merge
from keepsake.domain.merging.apply_model_relations import apply_relations, sort_by_relation
from keepsake.domain.merging.changes.find_changes import FoundChanges, after_statements
from keepsake.domain.merging.decisions import Decision, Doubt, Drop
from keepsake.domain.reading import Reading, read, statements
from keepsake.domain.reading.changes import may_be_change
from keepsake.domain.reading.commands.recognize import recognize
from keepsake.domain.reading.message import language
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.text import words
from keepsake.domain.todos.believed_todos import believed_todos
from keepsake.domain.todos.plan_todos import plan_todos
from keepsake.domain.todos.todo import OpenTodo

Row = Mapping[str, Any]
_DATA = Path(__file__).parents[1] / "data" / "believe"
FILES = [_DATA / "conversations.jsonl", _DATA / "conversation_todos.jsonl"]
"""What is replayed where no file is named."""
_DOORS: Sequence[tuple[Callable[..., Any], Callable[..., Any]]] = (
    (language.is_unreadable, lambda *_: True),
    (statements.key_of, lambda *_: None),
    (statements.is_stated, lambda *_, **__: True),
    (read, lambda *_, **__: Reading(())),
    (may_be_change, lambda *_: True),
    (resolve_relative_date.resolve_relative_date, lambda candidate, _: candidate),
    (written_dates.last_day_mentioned, lambda *_, **__: None),
    (recognize, lambda *_, **__: None),
    (contradictions.find_contradictions, lambda *_: []),
    (fulfilled_plans.find_fulfilled_plans, lambda *_: []),
    (similarity.content_words, lambda text: set(words(text))),
    (similarity.says_the_same, lambda one, other: words(one) == words(other)),
    (similarity.difference, lambda one, other: None if words(one) == words(other) else "words"),
)
"""Where English is read on the way of a message, each with what stands there when nothing reads it."""


@contextmanager
def english_closed() -> Iterator[None]:
    """Close the readers of English in all modules that have taken them."""
    closed = {id(reader): blank for reader, blank in _DOORS}
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("keepsake.")]
    taken = [(vars(one), name, value) for one in modules for name, value in vars(one).items() if id(value) in closed]
    for module, name, reader in taken:
        module[name] = closed[id(reader)]
    try:
        yield
    finally:
        for module, name, reader in taken:
            module[name] = reader


def replay(rows: Sequence[Row]) -> dict[str, list[str]]:
    """What comes of each message, by the language and the message."""
    messages: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        messages[row["id"].partition("-")[0], row["message"]].append(row)
    stored = {one.text: one for row in rows for one in _proposed([row], sources_of(row, Verdict.GOOD))}
    return {" ".join(one): list(_results(told, stored)) for one, told in messages.items()}


def _proposed(rows: Sequence[Row], sources: GroundingSources) -> Sequence[Candidate]:
    return read_reply(json.dumps({"memories": [row["memory"] for row in rows if "memory" in row]}), sources).candidates


def _with_key(memory: Memory, stored: Mapping[str, Candidate]) -> Memory:
    """A known memory under the key with which an earlier message of its conversation stored it."""
    candidate = stored.get(memory.text)
    return memory._replace(key=candidate.key if candidate else None, value=candidate.value if candidate else None)


def _results(rows: Sequence[Row], stored: Mapping[str, Candidate]) -> Iterator[str]:
    told = rows[0]
    sources = sources_of(told, Verdict.GOOD)
    sources = replace(sources, known=[_with_key(memory, stored) for memory in sources.known])
    said_at = datetime.fromisoformat(told["date"])
    reading = read(told["message"], said_at=said_at, recent=sources.known)
    reply = read_reply(json.dumps(_reply(rows)), sources)
    by_rules = [] if reading.is_role_play else precise_statements(reading.candidates, reply.refused_quotes)
    candidates, dropped = resolve_preferences(reply.candidates, by_rules, is_english=sources.is_english)
    screened = screen_candidates(candidates, allowed_types=frozenset(MemoryType), message=told["message"])
    yield from (f"dropped: {reason} {count}" for reason, count in (reply.dropped + dropped + screened.dropped).items())
    yield from (_line(one) for one in _decisions(screened.accepted, sources, said_at))
    shown = [OpenTodo(UUID(int=1), TodoKind.COMMITMENT, text) for text in told.get("open", ())]
    todos, refused = believed_todos(reply.todos, sources, shown, reply.language)
    plan = plan_todos(
        todos, shown, local_time=said_at, today=said_at.date(), allowed_types=frozenset(MemoryType),
        message=told["message"],
    )  # fmt: skip
    yield from (f"to-do: {one}" for one in ([plan] if plan else []))
    yield from (f"dropped: {reason} {count}" for reason, count in refused.items())
    if command := recognize(told["message"]):
        yield f"command: {command}"


def _reply(rows: Sequence[Row]) -> Mapping[str, Any]:
    return {
        "memories": [row["memory"] for row in rows if "memory" in row],
        "todos": [todo for row in rows for todo in row.get("todos", ())],
        "message_language": rows[0]["id"].partition("-")[0],
    }


def _decisions(accepted: Sequence[Candidate], sources: GroundingSources, said_at: datetime) -> Iterator[Decision]:
    by_id = {memory.id: memory for memory in sources.known}
    related = sort_by_relation(accepted, by_id, message=sources.message, said_at=said_at)
    stated = [
        with_entities(with_period(resolve_relative_date.resolve_relative_date(one, said_at)))
        for one in related.candidates
    ]
    decisions: list[Decision] = [*related.repetitions, *merge.merge(stated, sources.known, said_at=said_at)]
    changes = FoundChanges()
    apply_relations(related, decisions, changes)
    yield from after_statements(decisions, changes)


def _line(decision: Decision) -> str:
    """A decision, with what it stores and which memory it concerns."""
    candidate = None if isinstance(decision, Doubt) else decision.candidate
    concerned = next(
        (one for name in ("memory_id", "old_id", "expired_id") if (one := getattr(decision, name, None))), None
    )
    said = (decision.reason if isinstance(decision, Drop) else "", f"memory {concerned.int}" if concerned else "")
    parts = [type(decision).__name__.lower(), *filter(None, said)]
    if candidate is not None:
        parts += [candidate.text, f"{candidate.key} = {candidate.value}", candidate.relation, candidate.language]
        parts += [candidate.subtype, candidate.period or "", " ".join(candidate.entity_refs)]
        slot = _preference(candidate)
        parts += [f"preference {slot}"] if slot else []
    return ", ".join(map(str, parts))


def _preference(candidate: Candidate) -> str | None:
    """The answer preference that a candidate would be."""
    blank = sources_of({"message": "", "known": [candidate.text]}, Verdict.GOOD).known[0]
    return answer_slot(blank._replace(key=candidate.key, value=candidate.value))


def main() -> None:
    """Replay twice and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=FILES)
    files = parser.parse_args().files
    rows = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    as_it_is = replay(rows)
    with english_closed():
        closed = replay(rows)
    same = sum(closed[message] == lines for message, lines in as_it_is.items())
    print(f"{same} of {len(as_it_is)} messages come to the same with the readers of English closed")
    for message, lines in as_it_is.items():
        if closed[message] != lines:
            print(message)
            print("\n".join(f"  open    {line}" for line in lines))
            print("\n".join(f"  closed  {line}" for line in closed[message]))


if __name__ == "__main__":
    main()
