"""Shows that a secret somebody typed stands in the chat's own messages and nowhere else."""

from __future__ import annotations

from keepsake.local.demo.inspection import lines_with
from keepsake.local.demo.report import Report
from keepsake.local.demo.setup import Stage

OWN_PLACE = {"public.messages": 1}


def show_secrets(stage: Stage, report: Report) -> None:
    """Search every table and every log line for each secret, also without its punctuation and as search lexemes."""
    report.part(
        "Where the secrets are",
        "The chat keeps what was typed; that is its own business. Nothing that Keepsake writes may hold it.",
    )
    for what, secret in stage.script.secrets.items():
        trace = stage.evidence.trace(secret)
        lines, betrayed = lines_with(secret, stage.logs)
        where = ", ".join(f"{table} ({count} row)" for table, count in trace.found.items()) or "nowhere"
        report.line(f"  {what}: searched {trace.tables} tables, {trace.rows:,} rows, {lines:,} log lines")
        report.line(f"  {' ' * len(what)}  found in {where}")
        report.line()
        alone = trace.found == OWN_PLACE and not betrayed
        report.expect(f"The {what} stands in the chat's own message, and nowhere else.", alone)
        report.line()
