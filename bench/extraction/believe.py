"""Asks the check of replies which true and false proposals it accepts, by kind, without a server or a model.

A row of the file is a JSON object with a ``message``, what a model proposes about its author (``memory``), and where
there is any ``date``, ``assistant_before``, ``previous``, ``known`` (texts), ``true`` and ``kind``. A row without
``true`` is true, and has to be stored in the words of the proposal.

    python -m bench.extraction.believe FILE… [--verdict good|usable] [--list]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from keepsake.domain.extraction.grounding import GroundingSources
from keepsake.domain.extraction.model_answer_preferences import resolve_preferences
from keepsake.domain.extraction.model_reply import read_reply
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import Memory, MemoryType, Relation, Source, Status, Subtype
from keepsake.domain.reading.statements.key_of_text import key_of
from keepsake.domain.screening.screen import Dropped, screen

_WHEN = datetime(2026, 11, 26, tzinfo=UTC)


@dataclass(frozen=True)
class Judgment:
    """What became of a proposal: the reason for which it was dropped, or the relation it is stored with."""

    row: Mapping[str, Any]
    reason: str = ""
    relation: str = ""

    @property
    def kind(self) -> str:
        """What is wrong with the proposal; ``true`` where nothing is."""
        return "true" if self.row.get("true", True) else str(self.row.get("kind") or "false")

    @property
    def is_accepted(self) -> bool:
        """Whether it is stored; a wrong relation counts where the memory is stored with it."""
        if self.kind == "wrong_relation":
            return not self.reason and self.relation == self.row["memory"]["relation"]
        return not self.reason

    @property
    def is_right(self) -> bool:
        """Whether true is stored and false is not."""
        return self.is_accepted == (self.kind == "true")


def judge(row: Mapping[str, Any], verdict: Verdict) -> Judgment:
    """What the product would do with a proposal of a model with this verdict."""
    reply = json.dumps({"memories": [row["memory"]]})
    sources = sources_of(row, verdict)
    parsed = read_reply(reply, sources)
    candidates, dropped = resolve_preferences(parsed.candidates, (), is_english=sources.is_english)
    if not candidates:
        return Judgment(row, next(iter(parsed.dropped + dropped), "nothing"))
    (candidate,) = candidates
    screened = screen(candidate, message=row["message"])
    if isinstance(screened, Dropped):
        return Judgment(row, screened.reason)
    if "true" not in row and candidate.text != row["memory"]["text"]:
        return Judgment(row, f"stored as {candidate.text!r}")
    return Judgment(row, relation=candidate.relation)


def sources_of(row: Mapping[str, Any], verdict: Verdict) -> GroundingSources:
    """What the check of replies knows of the message of a row."""
    known = [one if isinstance(one, str) else one["text"] for one in row.get("known") or ()]
    said_at = datetime.fromisoformat(row["date"]) if row.get("date") else _WHEN
    return GroundingSources(
        row["message"],
        assistant=row.get("assistant_before"),
        known=[_memory(number, text) for number, text in enumerate(known, start=1)],
        previous=tuple(reversed(row.get("previous") or ())),
        said_on=said_at.date(),
        verdict=verdict,
    )


def _memory(number: int, text: str) -> Memory:
    key, value = key_of(text) or (None, None)
    return Memory(
        id=UUID(int=number), memory_no=number, type=MemoryType.FACT, subtype=Subtype.OTHER, text=text, confidence=0.9,
        importance=1, pinned=False, source=Source.LLM_EXTRACTION, status=Status.ACTIVE, reference_count=0,
        created_at=_WHEN, valid_from=_WHEN, key=key, value=value,
    )  # fmt: skip


def _read(path: Path) -> Iterator[Mapping[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row["memory"].setdefault("relation", Relation.NEW)
        yield row


def _report(judgments: list[Judgment]) -> None:
    total, accepted = Counter(one.kind for one in judgments), Counter(one.kind for one in judgments if one.is_accepted)
    for kind in sorted(total, key=lambda name: (name != "true", name)):
        print(f"{kind:40} {accepted[kind]:4} of {total[kind]:4} accepted")
    false = sum(total.values()) - total["true"]
    print(f"{'false in all':40} {sum(accepted.values()) - accepted['true']:4} of {false:4} accepted")


def main() -> None:
    """Judge the rows of some files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--verdict", type=Verdict, default=Verdict.GOOD, choices=list(Verdict))
    parser.add_argument("--list", action="store_true", help="print every row that is judged wrongly")
    options = parser.parse_args()
    for path in options.files:
        judgments = [judge(row, options.verdict) for row in _read(path)]
        print(f"{path.name}, a model that is {options.verdict}")
        _report(judgments)
        if options.list:
            for one in judgments:
                if not one.is_right:
                    said = {name: one.row[name] for name in ("message", "memory") if name in one.row}
                    label = one.row.get("id", "")
                    print(label, one.kind, one.reason or one.relation, json.dumps(said, ensure_ascii=False))


if __name__ == "__main__":
    main()
