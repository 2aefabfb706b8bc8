"""Measures the extraction rules on single utterances: how many statements are found, how much else is taken for one.

The data is not part of this project: a file of JSON lines, each with ``source``, ``text``, ``label`` (1 states a
durable fact or preference about the speaker, 0 does not) and ``quality`` (``gold`` or ``weak``).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from keepsake.domain.extraction.screen_candidates import top_candidates
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.rules import load_rules
from keepsake.domain.screening.screen import screen

SAID_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
MIN_HITS = 2
"""A rule that fires less often is rare."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One line of the file, and what the rules made of it."""

    source: str
    text: str
    states_a_fact: bool
    quality: str
    found: tuple[Candidate, ...]

    @property
    def is_error(self) -> bool:
        """A statement missed, or something else taken for one."""
        return bool(self.found) != self.states_a_fact


def read(path: Path) -> list[Utterance]:
    """Every utterance of the file, run through the rules, the cap of a turn and the screening."""
    utterances = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kept = (screen(candidate) for candidate in top_candidates(extract(row["text"])))
        found = tuple(outcome for outcome in kept if isinstance(outcome, Candidate))
        utterances.append(Utterance(row["source"], row["text"], row["label"] == 1, row["quality"], found))
    return utterances


def table(utterances: list[Utterance], seconds: float) -> Table:
    """One row a source and label: how many utterances gave a memory."""
    groups: dict[tuple[str, bool, str], list[Utterance]] = defaultdict(list)
    for utterance in utterances:
        groups[(utterance.source, utterance.states_a_fact, utterance.quality)].append(utterance)
    shown = Table(title=f"Rules on {len(utterances)} utterances ({seconds:.1f} s)")
    for heading in ("source", "label", "quality"):
        shown.add_column(heading)
    for heading in ("utterances", "gave a memory", "share", "memories"):
        shown.add_column(heading, justify="right")
    for (source, positive, quality), rows in sorted(groups.items()):
        _add_row(shown, source, "1" if positive else "0", quality, rows)
    shown.add_section()
    _add_row(shown, "gold positives", "1", "gold", [u for u in utterances if u.states_a_fact and u.quality == "gold"])
    negatives = [u for u in utterances if not u.states_a_fact]
    _add_row(shown, "CLINC negatives", "0", "", [u for u in negatives if u.source.startswith("clinc")])
    _add_row(shown, "other negatives", "0", "", [u for u in negatives if not u.source.startswith("clinc")])
    return shown


def messages_of(folder: Path) -> Iterator[str]:
    """The messages of a set of chats, as ``bench.chat`` reads it; the assistant's begin with "A: "."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line) if line.strip() else {}
            said = [row] if isinstance(row, str) else [row["text"]] if "text" in row else row.get("turns", ())
            yield from (text for text in said if not text.startswith("A: "))


def rare_rules(utterances: list[Utterance], folders: Sequence[Path]) -> tuple[int, list[str]]:
    """The messages read, and the rules with fewer than two hits in all of them.

    Every candidate counts, also one that would be screened or is not among the three of its message.
    """
    texts = [utterance.text for utterance in utterances]
    texts += [text for folder in folders for text in messages_of(folder)]
    hits = Counter(found.why for text in texts for found in extract(text))
    return len(texts), [rule.name for rule in load_rules() if hits[rule.name] < MIN_HITS]


def rules_table(utterances: list[Utterance]) -> Table:
    """One row a rule that fired: its hits, and those of them that are in utterances that state nothing."""
    hits = Counter(found.why for utterance in utterances for found in utterance.found)
    errors = Counter(found.why for utterance in utterances if not utterance.states_a_fact for found in utterance.found)
    shown = Table(title=f"{len(hits)} of {len(load_rules())} rules found something")
    shown.add_column("rule")
    for heading in ("hits", "errors", "share of all hits"):
        shown.add_column(heading, justify="right")
    for name, count in hits.most_common():
        shown.add_row(name or "no rule", str(count), str(errors[name]), f"{count / hits.total():.3f}")
    for rule in load_rules():
        if rule.name not in hits:
            shown.add_row(rule.name, "0", "0", "0.000")
    return shown


def _add_row(shown: Table, source: str, label: str, quality: str, rows: list[Utterance]) -> None:
    hits = sum(bool(row.found) for row in rows)
    share = f"{hits / len(rows):.3f}" if rows else "-"
    shown.add_row(source, label, quality, str(len(rows)), str(hits), share, str(sum(len(row.found) for row in rows)))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FILE", help="the utterances, as JSON lines")
    parser.add_argument(
        "--errors", type=int, default=0, metavar="N", help="also list up to N misses and N false memories a source"
    )
    parser.add_argument("--source", metavar="NAME", help="only this source")
    parser.add_argument("--rules", action="store_true", help="also list hits and errors of every rule")
    parser.add_argument(
        "--chats",
        type=Path,
        nargs="*",
        default=[],
        metavar="FOLDER",
        help="with --rules: count hits in these chats too",
    )
    arguments = parser.parse_args()
    started = time.perf_counter()
    utterances = [u for u in read(arguments.data) if arguments.source in (None, u.source)]
    console = Console(highlight=False)
    console.print(table(utterances, time.perf_counter() - started))
    if arguments.rules:
        console.print(rules_table(utterances))
        read_texts, rare = rare_rules(utterances, arguments.chats)
        console.print(
            f"{read_texts} messages: {len(rare)} rules have fewer than {MIN_HITS} hits: {', '.join(rare)}", markup=False
        )
    shown: dict[tuple[str, bool], int] = defaultdict(int)
    for utterance in utterances:
        group = (utterance.source, utterance.states_a_fact)
        if utterance.is_error and shown[group] < arguments.errors:
            shown[group] += 1
            console.print(f"[{utterance.source}] {utterance.text!r}", markup=False)
            for candidate in utterance.found:
                console.print(f"    {candidate.text}  <{candidate.key} = {candidate.value}>", markup=False)


if __name__ == "__main__":
    main()
