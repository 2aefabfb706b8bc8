"""Measures precision on PrecisionMemBench: of what is given to a later message, how much the message asked for.

The data (github.com/tenurehq/precisionMemBench, MIT) is not part of this project: `beliefs`, and `cases` that each ask
one question as a user who has some of them. About half of the cases expect nothing. Pinned beliefs are not counted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.recall.measure import Question, Subject, main

_DEFAULT_USER = "test-user"


def load(path: Path) -> list[Subject]:
    """The users of the file, each with the questions of their cases."""
    data = json.loads(path.read_text(encoding="utf-8"))
    cases: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for case in data["cases"]:
        if case["query"].strip():
            cases[case.get("userId") or case.get("user_id") or _DEFAULT_USER].append(case)
    return [_subject([b for b in data["beliefs"] if b["user_id"] == user], asked) for user, asked in cases.items()]


def _subject(beliefs: list[dict[str, Any]], cases: list[dict[str, Any]]) -> Subject:
    places = {belief["_id"]: at for at, belief in enumerate(beliefs)}
    pinned = frozenset(at for at, belief in enumerate(beliefs) if belief["pinned"])
    questions = []
    for case in cases:
        relevant = case["expect"].get("relevantBeliefs", {})
        expected = relevant.get("shouldOnlyInclude", relevant.get("mustInclude", []))
        gold = frozenset(places[name] for name in expected if name in places) - pinned
        questions.append(Question(case["query"], gold, case["category"], ignored=pinned))
    return Subject([_text(belief) for belief in beliefs], questions)


def _text(belief: dict[str, Any]) -> str:
    names = ", ".join([belief["canonical_name"], *belief.get("aliases", [])])
    return f"{names}: {belief['content']} {belief.get('why_it_matters') or ''}".strip()


if __name__ == "__main__":
    main("precision", __doc__, load)
