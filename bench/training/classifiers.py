"""Trains the classifiers over words, and writes them into one binary, ``classifiers.zip``, with a card for each.

Everything they learn from is in the repository; the same data and features give the same bytes, but for the date on a
card that changes. A test compares the hashes of the cards with the data and the features. ``--only claim`` trains one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from bench.training.beginning_model import BeginningClassifier, beginning_classifier
from bench.training.command_model import CommandClassifier, SubjectClassifier, command_classifier, subject_classifier
from bench.training.ending_model import ending_model
from bench.training.language_model import language_classifier
from bench.training.linear_model import Classifier
from bench.training.screening_model import screening_classifier
from bench.training.statement_model import statement_classifier
from bench.training.weights_file import hash_rows, read_cards, write_weights
from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.merging.changes.life_changes import CLASSIFIER

CLASSIFIERS: Mapping[str, Callable[[], Classifier | BeginningClassifier | CommandClassifier | SubjectClassifier]] = {
    "language": language_classifier,
    "beginning": beginning_classifier,
    "claim": partial(screening_classifier, "claim"),
    "secret": partial(screening_classifier, "secret"),
    "statement": statement_classifier,
    "command": command_classifier,
    "subject": subject_classifier,
    CLASSIFIER: ending_model,
}
"""In order: what a classifier learns from may be read with those before it."""


def main() -> None:
    """Train those whose data or features have changed, or the named one."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", choices=[*CLASSIFIERS], help="train this one, even where nothing has changed")
    given = options.parse_args()
    for name, of in CLASSIFIERS.items():
        if given.only not in {None, name}:
            continue
        classifier = of()
        trained_on = hash_rows(classifier.rows)
        if given.only is None and read_cards().get(name, {}).get("rows_sha256") == trained_on:
            print(f"{name}: nothing has changed")
            continue
        weights = classifier.weights()
        card = {
            "rows_sha256": trained_on,
            "rows": len(classifier.rows),
            "positive": sum(row.is_positive for row in classifier.rows),
            "trained_by": "bench.training.classifiers",
            "on": str(datetime.now(UTC).date()),
        }
        write_weights(name, weights, card)
        load_weights.cache_clear()
        print(f"{name}: {len(weights)} weights of {len(classifier.rows)} texts")


if __name__ == "__main__":
    main()
