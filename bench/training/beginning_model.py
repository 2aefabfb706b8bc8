"""What the classifier of left-out beginnings learns from: fragments of messages, with what stood before them.

``bench/data/beginnings.txt`` has fragments with a beginning: those of marked facts in ``statements*.txt`` that begin
with no subject, and others. From facts with a subject, it learns what is left when the subject is taken off; from the
joints of the marked messages, which parts go on with the one before. ``bench.training.classifiers`` trains it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.training.linear_model import Row
from bench.training.softmax_model import WordRows, train
from keepsake.domain.english.classifiers import SEPARATOR
from keepsake.domain.reading.clauses.beginnings import NOTHING, beginning_features
from keepsake.domain.reading.clauses.normalize_clause import filler_length, normalize_clause
from keepsake.domain.reading.clauses.parts import cut_at_joints
from keepsake.domain.reading.clauses.split_clauses import split_sentences
from keepsake.domain.reading.clauses.subjects import has_subject
from keepsake.domain.reading.message.normalize_message import normalize_message
from keepsake.domain.reading.message.quoted_text import mask_quoted_text

_DATA = Path(__file__).parents[1] / "data"
_MARKED_FILES = ("statements", "statements_two")
_MARKED = re.compile(r"\{(\??)([^{}]*)\}")
_MARKS = re.compile(r"\{\??|\}")
_WITH_SUBJECT = re.compile(
    r"(?P<beginning>(?:I|we) (?:am an?|am in the|am|are|have(?: got)?|was|were)|I|we|my|our) (?P<rest>(?!been\b).+)",
    re.IGNORECASE,
)
_BEEN = re.compile(r"(?:I|we) have (?P<rest>been .+)", re.IGNORECASE)
_OF_GROUP = {"we": "I", "we are": "I am", "we have": "I have", "we were": "I was", "I am an": "I am a"}
_OWN = ("my", "our")
_WEIGHT_WITH_SUBJECT, _WEIGHT_IN_FACT, _WEIGHT_BETWEEN_FACTS = 0.1, 0.15, 0.05
_DECAY = 2e-4
_SMALLEST = 0.08


@dataclass(frozen=True, slots=True)
class Fragment:
    """Words with what was left out before them, the joint before them (None at the beginning), and their weight."""

    words: str
    beginning: str
    joint: str | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class BeginningClassifier:
    """A classifier of several classes, to be trained."""

    fragments: tuple[Fragment, ...]

    @property
    def rows(self) -> list[Row]:
        """Everything that it learns from; positive where something was left out."""
        return [
            Row([one.beginning, *beginning_features(one.words, one.joint)], _is_left_out(one.beginning), one.weight)
            for one in self.fragments
        ]

    def weights(self) -> dict[str, float]:
        """The weights that training gives, of each beginning and feature."""
        rows = self.rows
        counts = Counter(feature for row in rows for feature in row.features[1:])
        columns = {feature: index for index, feature in enumerate(sorted(one for one in counts if counts[one] > 1))}
        beginnings = sorted({one.beginning for one in self.fragments})
        learned = train(
            WordRows.of([[columns[one] for one in row.features[1:] if one in columns] for row in rows], len(columns)),
            np.array([[float(row.features[0] == one) for one in beginnings] for row in rows], np.float32),
            np.array([row.weight for row in rows], np.float32),
            _DECAY,
        )
        return {
            f"{feature}{SEPARATOR}{beginning}": float(weight)
            for feature, index in columns.items()
            for beginning, weight in zip(beginnings, learned[index], strict=True)
            if abs(weight) >= _SMALLEST
        }


def beginning_classifier() -> BeginningClassifier:
    """The classifier of left-out beginnings, to be trained."""
    labeled = [*_labeled()]
    known = {_in_lower_case(one.words): one.beginning for one in labeled}
    messages = [
        line
        for name in _MARKED_FILES
        for line in (_DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    facts = (words for line in messages for doubtful, words in _MARKED.findall(line) if not doubtful)
    subjects = (one for words in facts for one in _without_subject(words.strip()))
    joined = (one for line in messages for one in _behind_joints(line, known))
    return BeginningClassifier((*labeled, *dict.fromkeys(subjects), *joined))


def _is_left_out(beginning: str) -> bool:
    return beginning not in ("", NOTHING)


def _labeled() -> Iterator[Fragment]:
    """The fragments of the data file."""
    for line in (_DATA / "beginnings.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            beginning, _, words = line.partition("|")
            yield Fragment(words.strip(), beginning.strip())


def _without_subject(fact: str) -> Iterator[Fragment]:
    """The words of a fact that has a subject, without it: "I'm on nights" teaches "on nights"."""
    fact = fact[filler_length(fact, with_corrections=True) :]
    if not fact or not has_subject(fact):
        return
    words = normalize_clause(fact).words
    if been := _BEEN.fullmatch(words):
        yield Fragment(been["rest"], "I have", weight=_WEIGHT_WITH_SUBJECT)
    elif match := _WITH_SUBJECT.fullmatch(words):
        said = match["beginning"].lower().replace("i", "I", 1) if match["beginning"][0] in "iI" else match["beginning"]
        beginning = _OF_GROUP.get(said.removesuffix(" got"), said.removesuffix(" got"))
        left_out = "" if beginning.lower() in _OWN else beginning
        yield Fragment(match["rest"], left_out, weight=_WEIGHT_WITH_SUBJECT)
        if beginning == "I am a":
            yield Fragment(f"{said.split()[-1]} {match['rest']}", "I am", weight=_WEIGHT_WITH_SUBJECT)
    else:
        yield Fragment(words, "", weight=_WEIGHT_WITH_SUBJECT)


def _behind_joints(line: str, known: dict[str, str]) -> Iterator[Fragment]:
    """The parts of a message behind joints that have no subject; what begins no fact goes on with what is before it."""
    facts = [_in_lower_case(words) for doubtful, words in _MARKED.findall(line) if not doubtful]
    message = normalize_message(_MARKS.sub("", line))
    for body in (sentence.body for sentence in split_sentences(mask_quoted_text(message.text))):
        start, joint = 0, ""
        for end, after, following in cut_at_joints(body):
            said = body[start:end].strip(" \t\n.-*\u2022")
            said = said[filler_length(said, with_corrections=True) :]
            words = _in_lower_case(said)
            if start and said and not has_subject(said):
                begun = next((one for one in (words, *facts) if one in known and words.startswith(one)), None)
                begun = begun or next((fact for fact in facts if fact.startswith(words)), None)
                if begun is None:
                    weight = _WEIGHT_IN_FACT if any(words in fact for fact in facts) else _WEIGHT_BETWEEN_FACTS
                    yield Fragment(said, NOTHING, joint, weight)
                elif begun in known:
                    yield Fragment(said, known[begun], joint)
            start, joint = after, following


def _in_lower_case(words: str) -> str:
    return " ".join(words.lower().split())
