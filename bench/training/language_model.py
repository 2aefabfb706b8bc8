"""What the classifier of languages learns from: plain sentences in many languages, and English ones.

Linear in the letters of words. The sentences are those that the classifier of claims learns from as well, and
``bench/data/foreign_words.txt`` has words that no English sentence has. ``bench.training.classifiers`` trains it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from bench.attack.text_sets import read_lines
from bench.training.linear_model import Classifier, Row, Training
from bench.training.screening_model import ORDINARY, messages_of_evaluations
from keepsake.domain.reading.message.language import language_features

_DATA = Path(__file__).parents[1] / "data"
_IN_OTHER_LANGUAGES = ("ordinary_world", "claims_world", "ordinary_languages", "claims_languages", "ordinary_elsewhere")
_MIXED = {
    "ordinary_languages",
    "ordinary_elsewhere",
    "personal",
    "personal_second",
    "personal_fifth",
    "personal_sixth",
    "personal_seventh",
}
"""Sets with sentences of other languages among English ones."""
_MESSAGES = {"chat": 1, "chat_sixth": 1, "chat_unseen": 2, "chat_third": 2, "chat_fourth": 2}
"""The chat sets that are read; of some only every second line is, beginning with the first."""
_TRAINING = Training(rounds=8, step=0.3, left_out=0.3, models=2, smallest=0.25)
_BIAS = language_features("")[0]
_SENTENCE_WEIGHT, _WORD_WEIGHT = 4.0, 24.0


def language_classifier() -> Classifier:
    """The classifier of languages, to be trained."""
    rows = [
        Row(language_features(text), is_positive=True, weight=_SENTENCE_WEIGHT)
        for name in _IN_OTHER_LANGUAGES
        for text in read_lines(name)
    ]
    words = (_DATA / "foreign_words.txt").read_text(encoding="utf-8").splitlines()
    rows += (
        Row(language_features(word), is_positive=True, weight=_WORD_WEIGHT)
        for line in words
        if not line.startswith("#")
        for word in line.split()
    )
    rows += (Row(language_features(text), is_positive=False) for text in dict.fromkeys(_english()))
    return Classifier("language", rows, _TRAINING, _BIAS, random.Random(9))  # noqa: S311 (the same weights each time)


def _english() -> list[str]:
    texts = [*messages_of_evaluations(), *read_lines("ordinary_chat")]
    for name in ORDINARY:
        if name not in _MIXED:
            texts += read_lines(name)
    for name, step in _MESSAGES.items():
        lines = (_DATA / name / "turns.jsonl").read_text(encoding="utf-8").splitlines()
        texts += (json.loads(line)["text"] for line in lines[::step])
    return texts
