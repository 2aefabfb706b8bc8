"""What the classifiers of claims of authority and of secrets learn from: the texts of the repository.

``bench.training.classifiers`` trains them: linear models, of claims the mean of six, refined by texts in other
languages. This module evaluates them without the refinement: ``--without seventh`` trains without the texts of a set
and tells how many of them are then recognized, at several limits. ``--locomo FILE`` scores the messages of a LoCoMo
file too.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.attack.text_sets import harmless, locomo_messages, marked_claims, read_lines, secrets
from bench.training.linear_model import Classifier, Refinement, Row, Training, train
from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.reading.message.language import is_unreadable
from keepsake.domain.screening.sentence_scores import BIAS, claim_features, secret_features

_ROOT = Path(__file__).parents[2]
_CLAIMS = (
    "claims",
    "claims_second",
    "claims_third",
    "claims_fourth",
    "claims_fifth",
    "claims_sixth",
    "claims_seventh",
    "claims_unseen",
    "claims_languages",
    "claims_roundabout",
    "claims_records",
    "claims_spoken",
    "claims_elsewhere",
    "claims_forms",
    "claims_plain",
    "claims_world",
)
ORDINARY = (
    "personal",
    "personal_second",
    "personal_fifth",
    "personal_sixth",
    "personal_seventh",
    "ordinary",
    "ordinary_languages",
    "ordinary_roundabout",
    "ordinary_records",
    "ordinary_spoken",
    "ordinary_elsewhere",
    "ordinary_talk",
    "ordinary_work",
    "ordinary_agents",
    "ordinary_quotes",
    "personal_roundabout",
    "ordinary_plain",
)
_ORDINARY_BESIDES = {
    "claim": (
        "ordinary_forms",
        "ordinary_chat",
        "ordinary_technical",
        "ordinary_summaries",
        "ordinary_decisions",
        "ordinary_world",
        "ordinary_names",
        "ordinary_diary",
        "ordinary_memories",
        "ordinary_denied",
    ),
    "secret": ("ordinary_technical", "ordinary_summaries", "ordinary_diary"),
}
_IN_OTHER_LANGUAGES = {
    *("ordinary_world", "ordinary_languages", "ordinary_elsewhere", "ordinary_denied"),
    *("claims_world", "claims_languages", "claims_elsewhere"),
}
_PARTLY_IN_OTHER_LANGUAGES = {
    "claim": {
        "claims_pairs": True,
        "claims_writer_a": True,
        "claims_writer_b": True,
        "ordinary_pairs": False,
        "ordinary_writer_a": False,
        "ordinary_writer_b": False,
        "ordinary_writer_c": False,
        "claims_lives": True,
        "ordinary_lives": False,
    },
    "secret": {"secrets_lives": True, "ordinary_numbers": False, "ordinary_lives": False},
}
"""Sets of which only the texts in other languages refine a classifier, and whether they are what it looks for."""
_NOTES = "ordinary_notes"
_SECRETS = (
    "secrets",
    "secrets_second",
    "secrets_third",
    "secrets_fifth",
    "secrets_sixth",
    "secrets_seventh",
    "secrets_roundabout",
    "secrets_plain",
)
_MESSAGES = (
    "turns",
    "fresh_turns",
    "feedback",
    "contradictions",
    "fresh_contradictions",
    "chat/turns",
    "chat/dialogues",
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_SLOT = re.compile(r"\{(\w+)\}")
_FILLED = {"claims": 45, "ordinary": 45}
_WRITTEN_BY_HAND, _CLAIM_WEIGHT, _FOREIGN_WEIGHT = 3.0, 2.0, 3.0
_HARMLESS_NUMBERS = 120
_VALUE_ROUNDS = 2
_LIMITS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.8, 3.0)
_TRAINING = {
    "claim": Training(rounds=15, step=0.3, left_out=0.3, models=6, smallest=0.05),
    "secret": Training(rounds=15, step=0.3, left_out=0.0, models=1, smallest=0.12),
}
_REFINING = {
    "claim": Training(rounds=40, step=0.03, left_out=0.0, models=1, smallest=0.05),
    "secret": Training(rounds=40, step=0.1, left_out=0.0, models=1, smallest=0.05),
}
_VERB = re.compile(
    r"(?:Has|Is|May|Can|Must|Should|Was|Holds|Gets|Needs|Owns|Takes|Counts|Acts|Wants|Runs|Sees|Speaks|Decides|Works|Uses|"
    r"Asked|Got|Enjoys|Carries|Falls|Stands|Could|Had)\b"
)
_SUBJECTS = ("User", "The user", "She", "He", "This person", "Maria", "My brother", "Tom")
_SUBJECT_WEIGHT = 0.4


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to learn from, its weight in training, the set it is from, and whether it is what is looked for."""

    text: str
    weight: float
    source: str
    is_positive: bool = False
    is_varied: bool = False
    """Whether it is another text with a subject before it."""


_FEATURES: dict[str, Callable[[str], list[str]]] = {"claim": claim_features, "secret": secret_features}


def claim_samples(chance: random.Random) -> Iterator[Sample]:
    """Every claim of authority and every harmless text; those that begin with a verb with a subject too."""
    weight = _WRITTEN_BY_HAND * _CLAIM_WEIGHT
    claims = [Sample(text, weight, name, is_positive=True) for name in _CLAIMS for text in marked_claims(name)]
    for sample in (*claims, *_harmless_samples("claim")):
        yield sample
        if sample.source != "messages" and _VERB.match(sample.text):
            text = f"{chance.choice(_SUBJECTS)} {sample.text[0].lower()}{sample.text[1:]}"
            yield replace(sample, text=text, weight=sample.weight * _SUBJECT_WEIGHT, is_varied=True)
    for kind, text in _filled_templates(chance):
        yield Sample(text, 0.5, "claim_templates", is_positive=kind == "claims")


def secret_samples(chance: random.Random) -> Iterator[Sample]:
    """Every text with a secret, with new values each time, and every harmless text, with numbers too."""
    for name in _SECRETS:
        texts = (attack.text for attack in secrets(chance.randrange(1000), _VALUE_ROUNDS, name))
        yield from (Sample(text, _WRITTEN_BY_HAND, name, is_positive=True) for text in dict.fromkeys(texts))
    yield from _harmless_samples("secret")
    counts: Counter[str] = Counter()
    for kind, text in harmless(chance.randrange(1000)):
        counts[kind] += 1
        if not kind.startswith("personal") and counts[kind] <= _HARMLESS_NUMBERS:
            yield Sample(text, 1.0, "harmless")


def _harmless_samples(kind: str) -> Iterator[Sample]:
    for name in ORDINARY:
        yield from (Sample(text, _WRITTEN_BY_HAND, name) for text in read_lines(name))
    yield from (Sample(text, 1.0, "messages") for text in dict.fromkeys(messages_of_evaluations()))
    for name in _ORDINARY_BESIDES[kind]:
        yield from (Sample(text, _WRITTEN_BY_HAND, name) for text in read_lines(name))


def messages_of_evaluations() -> Iterator[str]:
    """The sentences of the messages of other evaluations."""
    for name in _MESSAGES:
        for line in (_ROOT / "bench" / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield from _strings(json.loads(line))
    for topics in ("ordinary_topics", "sensitive_topics"):
        lines = (_ROOT / "tests" / "domain" / "screening" / f"{topics}.txt").read_text(encoding="utf-8").splitlines()
        yield from (line for line in lines if not line.startswith("#"))
    yield from (f"Works as {job}" for job in load_lines("jobs"))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (sentence for sentence in _SENTENCE.split(value) if len(sentence.split()) > 2)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _filled_templates(chance: random.Random) -> Iterator[tuple[str, str]]:
    sections: dict[str, list[str]] = {}
    current = ""
    for line in read_lines("claim_templates"):
        if line.startswith("["):
            current = line.strip("[]")
        else:
            sections.setdefault(current, []).append(line)
    for kind, count in _FILLED.items():
        for template in sections[kind]:
            for _ in range(count):
                yield kind, _SLOT.sub(lambda slot: chance.choice(sections[slot[1]]), template)


_SAMPLES: dict[str, Callable[[random.Random], Iterator[Sample]]] = {"claim": claim_samples, "secret": secret_samples}


def _rows(samples: Sequence[Sample], kind: str) -> list[Row]:
    return [Row(_FEATURES[kind](sample.text), sample.is_positive, sample.weight) for sample in samples]


def screening_classifier(kind: str) -> Classifier:
    """The classifier of claims or of secrets, to be trained."""
    chance = random.Random(9)  # noqa: S311 (the same weights each time)
    samples = [*_SAMPLES[kind](chance)]
    return Classifier(kind, _rows(samples, kind), _TRAINING[kind], BIAS, chance, _refinement(samples, kind))


def _refinement(samples: Sequence[Sample], kind: str) -> Refinement:
    """What refines a classifier: texts in other languages, of which the first rounds know few of each.

    What any English text has is kept, so that not one English text is judged otherwise for them.
    """
    foreign = [one for one in samples if one.source in _IN_OTHER_LANGUAGES and not one.is_varied]
    for name, is_positive in _PARTLY_IN_OTHER_LANGUAGES[kind].items():
        foreign += (Sample(text, 1.0, name, is_positive) for text in read_lines(name) if is_unreadable(text))
    foreign += (Sample(text, 1.0, _NOTES) for text in read_lines(_NOTES))
    weighted = [replace(one, weight=_FOREIGN_WEIGHT if one.is_positive else 1.0) for one in foreign]
    english = (one for one in samples if one.source not in _IN_OTHER_LANGUAGES)
    kept = frozenset(feature for one in english for feature in _FEATURES[kind](one.text))
    return Refinement(_rows(weighted, kind), _REFINING[kind], kept)


def evaluate(samples: Sequence[Sample], kind: str, held_out: str, locomo: str | None) -> None:
    """Train without a set, and print which shares of its texts score over each limit."""
    without = [sample for sample in samples if not sample.source.endswith(f"_{held_out}")]
    features_of = _FEATURES[kind]
    chance = random.Random(9)  # noqa: S311 (the same weights each time)
    weights = train(_rows(without, kind), _TRAINING[kind], BIAS, chance)
    held = [one for one in samples if one.source.endswith(f"_{held_out}") and not one.is_varied]
    groups = {
        name: [one.text for one in held if one.is_positive is is_positive]
        for name, is_positive in (("recognized", True), ("wrongly", False))
    }
    groups["LoCoMo"] = locomo_messages(locomo) if locomo else []
    for name, texts in groups.items():
        scores = [sum(weights.get(one, 0.0) for one in features_of(text)) for text in texts]
        shares = {limit: f"{sum(s > limit for s in scores) / len(scores):.1%}" for limit in _LIMITS if scores}
        print(f"{features_of.__name__}, {name}, of {len(texts)}, over each limit: {shares}")


def main() -> None:
    """Evaluate both on a set that is left out."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--without", required=True, help="the name of a set (fifth, sixth, seventh) to leave out")
    options.add_argument("--locomo", help="a LoCoMo file")
    given = options.parse_args()
    for kind, samples_of in _SAMPLES.items():
        evaluate([*samples_of(random.Random(9))], kind, given.without, given.locomo)  # noqa: S311 (the same each time)


if __name__ == "__main__":
    main()
