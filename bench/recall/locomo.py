"""Measures recall on LoCoMo: every turn of a long dialogue is one memory, questions are asked about it later.

The data (`locomo10.json` of github.com/snap-research/locomo, CC BY-NC 4.0) is not part of this project. Each turn is
imported as "[date] Speaker: text". Adversarial questions, and those whose evidence is no turn, are left out.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bench.recall.measure import Question, Subject, main

_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single"}
_TURN = re.compile(r"D\d+:\d+")


def load(path: Path) -> list[Subject]:
    """The dialogues of the file, in its own format."""
    return [_subject(dialogue) for dialogue in json.loads(path.read_text(encoding="utf-8"))]


def _subject(dialogue: dict[str, Any]) -> Subject:
    talk = dialogue["conversation"]
    sessions = sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    turns = [(turn, talk[f"{session}_date_time"]) for session in sessions for turn in talk[session]]
    memories = [f"[{date}] {turn['speaker']}: {turn['text']}" for turn, date in turns]
    places = {turn["dia_id"]: at for at, (turn, _) in enumerate(turns)}
    questions = []
    for asked in dialogue["qa"]:
        named = _TURN.findall(" ".join(asked["evidence"]))
        gold = frozenset(places[turn] for turn in named if turn in places)
        if gold and asked["category"] in _CATEGORIES:
            questions.append(Question(asked["question"], gold, _CATEGORIES[asked["category"]]))
    return Subject(memories, questions)


if __name__ == "__main__":
    main("locomo", __doc__, load)
