"""Writes ``ordinary_memories.txt``: what the rules make of the messages that are read, in the third person.

The classifier of claims learns from it how short true memories read ("Lives in Porto"). The texts are a file and not
made in each training, so that a change of the rules asks for no new weights:

    python -m bench.training.read_memories
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from keepsake.domain.reading import read

_DAY = datetime(2026, 11, 21, tzinfo=UTC)
_DATA = Path(__file__).parents[1] / "data"
_READ_WHOLE, _READ_ODD = ("chat", "chat_sixth", "chat_changes"), ("chat_unseen", "chat_third", "chat_fourth")
_OF_ASSISTANT, _OF_USER = "A: ", "U: "
_HEADING = "# Memories in the third person that rules made of messages, by bench/training/read_memories.py."


def main() -> None:
    """Write the memories of each message, each once."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    texts = dict.fromkeys(
        candidate.text
        for message in _messages()
        for candidate in read(message, said_at=_DAY).candidates
        if candidate.text
    )
    path = _DATA / "attack_texts" / "ordinary_memories.txt"
    path.write_text("\n".join([_HEADING, *texts]) + "\n", encoding="utf-8")
    print(f"{len(texts)} memories")


def _messages() -> Iterator[str]:
    """The messages of people in the chat sets that are read, and those that train the classifier of statements."""
    for name in (*_READ_WHOLE, *_READ_ODD):
        for part in ("turns", "supersede_probes", "dialogues"):
            path = _DATA / name / f"{part}.jsonl"
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            for line in lines if name in _READ_WHOLE else lines[::2]:
                row = json.loads(line)
                turns = row.get("turns") or [row["text"]]
                yield from (turn.removeprefix(_OF_USER) for turn in turns if not turn.startswith(_OF_ASSISTANT))
    for line in (_DATA / "statements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield re.sub(r"[{}]", "", line)


if __name__ == "__main__":
    main()
