"""Measures recall on BEAM: the messages of long chats are memories, and questions are asked about them.

The data (the 100K chats of github.com/mohammadtavakoli78/BEAM as a retrieval task) is not part of this project: a list
of chats, each with `memories` and `questions` (`text`, `category`, and `gold`, the messages that hold the evidence, by
their place). Messages are paragraphs; what the import refuses counts as not found.
"""

from __future__ import annotations

import json
from pathlib import Path

from bench.recall.measure import Question, Subject, main


def load(path: Path) -> list[Subject]:
    """The chats of the file."""
    return [
        Subject(
            chat["memories"],
            [Question(asked["text"], frozenset(asked["gold"]), asked["category"]) for asked in chat["questions"]],
        )
        for chat in json.loads(path.read_text(encoding="utf-8"))
    ]


if __name__ == "__main__":
    main("beam", __doc__, load)
