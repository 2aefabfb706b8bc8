"""Measures recall on PrefEval: a preference stated once among 200 memories, and a question that shares hardly a word.

The data (preferences and questions of PrefEval, github.com/amazon-science/PrefEval, among persona sentences; CC BY-NC
4.0) is not part of this project: a list of people, each with `memories` (`id`, `text`) and `questions` (`question`, and
`gold`, the id of the one memory that should be found).
"""

from __future__ import annotations

import json
from pathlib import Path

from bench.recall.measure import Question, Subject, main


def load(path: Path) -> list[Subject]:
    """The people of the file."""
    subjects = []
    for person in json.loads(path.read_text(encoding="utf-8")):
        places = {memory["id"]: at for at, memory in enumerate(person["memories"])}
        questions = [
            Question(asked["question"], frozenset({places[asked["gold"]]}), "preference")
            for asked in person["questions"]
        ]
        subjects.append(Subject([memory["text"] for memory in person["memories"]], questions))
    return subjects


if __name__ == "__main__":
    main("prefeval", __doc__, load)
