"""Shows how the server carries out the main queries of ``bench.scale``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg

from bench.harness.stage import Stage
from keepsake.infra.database.queries import load

QUERIES = {
    "run-due-jobs": (
        "turns.due_turns", "extractions.claim_due", "extractions.quarantine_crashed", "sessions.claim_due_sessions",
        "conversation_summaries.claim_due",
    ),
    "chat-send": ("webhook_deliveries.note_message", "turns.unfinished_before", "extractions.ensure_pending"),
    "inject-memory": ("injections.injection_facts", "injections.last_messages", "injections.record_injection"),
    "extract-user-memory": ("turns.turn_facts", "extractions.claim", "operations.increment_rates"),
    "metrics": ("metrics.stored_counts", "metrics.job_counts"),
    "archive-old-memories": (
        "retention.clear_images", "retention.drop_changes", "retention.shrink_extractions", "retention.drop_injections",
        "retention.drop_deliveries", "retention.drop_counters",
    ),
}  # fmt: skip
# What is not prepared is planned for its values; the rest by a plan for any.
_VALUES: dict[str, object] = dict.fromkeys(("batch", "limit"), 500) | {"max_attempts": 5} | {
    name: datetime.now(UTC) - timedelta(days=days)
    for name, days in {
        "now": 0, "until": 0, "next_attempt_at": 0, "from": 1 / 1440, "before": 31,
    }.items()
} | dict.fromkeys(("memories", "extractions", "injections", "counters", "to_embed"), 1.0)  # fmt: skip
_PARAMETER = re.compile(r"%\((\w+)\)s")
_NODE = re.compile(r"(?P<scan>(?:Seq|Index|Index Only|Bitmap Heap|Sample) Scan.*?|Bitmap Index Scan.*?)  \(cost")
_COSTS = re.compile(r"\s+\(cost=.*")


def explain(on: Stage, large: Collection[str]) -> list[str]:
    """Print each query's plan in one line a scan; which of them read a large table from end to end."""
    wrong = []
    with psycopg.connect(on.superuser_url) as connection:
        for operation, names in QUERIES.items():
            for name in names:
                print(f"{operation}: {name}")
                for scan in _scans(connection, name):
                    print(f"  {scan}")
                    table = scan.removeprefix("Seq Scan on ").split(" ")[0]
                    if scan.startswith("Seq Scan") and any(known.endswith(f".{table}") for known in large):
                        wrong.append(f"{name}: {scan}")
    return wrong


def _scans(connection: psycopg.Connection[Any], name: str) -> Iterator[str]:
    stem, _, query = name.partition(".")
    statement = load(stem)[query].sql
    names = list(dict.fromkeys(_PARAMETER.findall(statement)))
    numbered = _PARAMETER.sub(lambda match: f"${names.index(match[1]) + 1}", statement).replace("%%", "%")
    is_planned_anew = set(names) <= _VALUES.keys()
    explanation = f"explain {'' if is_planned_anew else '(generic_plan)'} {numbered}".encode()
    values = [_VALUES[name] for name in names] if is_planned_anew else None
    for (line,) in psycopg.RawCursor(connection).execute(explanation, values).fetchall():
        if _NODE.search(line):
            yield _COSTS.sub("", line).strip().removeprefix("->").strip()
