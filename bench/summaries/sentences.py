"""Which sentences of summaries the check accepts: true ones that were written from messages, and false ones.

Each row of a file has a sentence, the messages or statements that it was written from (or those of the row before), a
reader's label, and perhaps a kind. A sentence cites the messages that its row names (`cites`); where it names none, the
few texts that share most of its words, as a model would.

    python -m bench.summaries.sentences bench/data/summary_sentences/*.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.text import stem, words

_MAX_CITED = 4


def texts_of(data: Mapping[str, Any]) -> list[Citable]:
    """The messages or the stored texts of a row, as a prompt numbers them."""
    if "messages" in data:
        return [_said(one, data.get("period", "")[-4:]) for one in data["messages"]]
    return [Citable(text) for text in _texts_in(data)]


def _said(message: Mapping[str, str], year: str) -> Citable:
    """A message of a row; one without a moment has the year of its row's period."""
    year = message["at"][:4] if "at" in message else year
    day = f"{message['day']} {year}"
    on = datetime.strptime(day.partition(" ")[2], "%d %B %Y").date()  # noqa: DTZ007 (it is a date)
    return Citable(message.get("said") or message["text"], day=day, on=on)


def _texts_in(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        if "text" in data:
            return [" ".join(str(part) for part in data.values())]
        return [text for part in data.values() for text in _texts_in(part)]
    return [text for part in data for text in _texts_in(part)] if isinstance(data, Sequence) else []


def cite(sentence: str, texts: Sequence[Citable]) -> list[int]:
    """The numbers of the texts that together share most of the words of a sentence."""
    wanted, cited = _content(sentence), list[int]()
    shared = {number: _content(f"{one.text} {one.day}") for number, one in enumerate(texts, 1)}
    while wanted and len(cited) < _MAX_CITED:
        best = max(shared, key=lambda number: len(shared[number] & wanted), default=None)
        if best is None or not shared[best] & wanted:
            break
        wanted -= shared.pop(best)
        cited.append(best)
    return cited or [1]


def _content(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOPWORDS}


def main() -> None:
    """Print how many sentences of each kind are accepted, of all files together."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("files", type=Path, nargs="+")
    arguments.add_argument("--show", action="store_true", help="print true ones refused and false ones accepted")
    arguments.add_argument("--person", help="the name of whoever wrote the messages of rows that do not say it")
    arguments.add_argument("--known", nargs="*", default=[], help="names that are known from before")
    chosen = arguments.parse_args()
    counts: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    for file in chosen.files:
        evidence = Evidence({})
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if data := row.get("data"):
                name = data.get("person") or chosen.person or ""
                evidence = Evidence(dict(enumerate(texts_of(data), 1)), [name, *chosen.known], name)
            cited = row.get("cites") or cite(row["sentence"], [*evidence.texts.values()])
            fault, label = evidence.find_fault(row["sentence"], cited), row["true_to_the_data"]
            for kind in (row.get("kind") or row["source"], "in all"):
                counts[kind, label][fault is None] += 1
            if chosen.show and row["source"] != "reply" and (fault is None) != (label == "true"):
                print(f"{label}, {row['field']}: {row['sentence']} [{fault}]")
    for (kind, label), count in sorted(counts.items()):
        print(f"{kind}, {label}: {count[True]} of {count.total()} accepted")


if __name__ == "__main__":
    main()
