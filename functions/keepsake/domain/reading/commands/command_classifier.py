"""Says what the words of a sentence ask of the memory, and what about: two linear classifiers.

``bench/training/command_model.py`` trains them from messages of people who ask for such things and for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from keepsake.domain.english.classifiers import load_class_weights, part_of_speech, word_features
from keepsake.domain.reading.commands.command_words import CLASSES, Token, class_of

NONE = "none"
"""What a sentence asks that asks nothing of the memory."""
INSIDE, FIRST, LAST = "inside", "first", "last"
"""What the classifier of subjects says of a word: whether it is one of a subject, its first one, its last one."""
_MAX_SUBJECT_WORDS, _MAX_STATEMENT_WORDS = 12, 40
_MAX_SHORT = 5
"""Words of a sentence that is a feature as a whole: "forget it" asks nothing of the memory."""
_ACTIONS, _OBJECTS = ("delete", "keep", "back"), ("memory", "thing", "you", "me", "all", "know")
"""Classes of words for what is done, and for what it may be done to: each pair of them is a feature."""
_STEPS = range(-2, 3)
"""The neighbors of a word, and itself, that say whether it is one of a subject."""
_STEM_LENGTH = 7
_FAR = 9
"""The distance in words from which on all are alike."""
_MIN_SUBJECT_SCORE = -0.5
"""How well words have to fit as what a command is about."""


def command_features(tokens: Sequence[Token]) -> list[str]:
    """The features of a sentence, each once: its words, and the classes of words in their order."""
    said = [token.word for token in tokens]
    words = [token.text for token in tokens if token.text[0].isalnum()]
    features = [
        *word_features(words),
        *_class_features(said),
        f"long {min(len(words) // 4, 6)}",
        f"ends {words[-1].lower() if words else ''}",
        *(mark for mark in "?:" if mark in said),
    ]
    if len(words) <= _MAX_SHORT:
        features.append(f"all {' '.join(word.lower() for word in words)}")
    return [*dict.fromkeys(features)]


def _class_features(said: Sequence[str]) -> Iterator[str]:
    """Which classes of words a sentence has, in which order, beside which words, and which it has not."""
    classes = [class_of(word) for word in said]
    present = [name for name in classes if name]
    shown = [name or ("*" if word[0].isalnum() else word) for name, word in zip(classes, said, strict=True)]
    order = ["^", *(one for before, one in pairwise(["", *shown]) if one != "*" or before != "*"), "$"]
    yield from (f"c {name}" for name in present)
    yield from (f"c {one} {other}" for at, one in enumerate(present) for other in present[at + 1 : at + 4])
    yield from (f"c {' '.join(present[at : at + 3])}" for at in range(len(present) - 2))
    yield from (f"o {' '.join(order[at : at + 3])}" for at in range(len(order) - 2))
    yield from (f"no {name}" for name in CLASSES if name not in present)
    for action in _ACTIONS:
        if action in present:
            yield from (f"{action} {'with' if name in present else 'without'} {name}" for name in _OBJECTS)
    for (one, word), (other, following) in pairwise(zip(classes, said, strict=True)):
        if one and not other:
            yield f"cw {one} {following}"
        if other and not one:
            yield f"wc {word} {other}"


def command_scores(tokens: Sequence[Token]) -> Mapping[str, float]:
    """How much better than nothing each of the classes of commands fits a sentence."""
    weights, scores = load_class_weights("command"), dict[str, float]()
    for feature in command_features(tokens):
        for name, weight in weights.get(feature, {}).items():
            scores[name] = scores.get(name, 0.0) + weight
    nothing = scores.pop(NONE, 0.0)
    return {name: score - nothing for name, score in scores.items()}


def subject_features(tokens: Sequence[Token], intent: str, asking: Sequence[Token]) -> Iterator[list[str]]:
    """The features of each word of a message that may be one of what a command is about.

    ``intent`` is what it asks, and ``asking`` are the words that ask for it.
    """
    classes = [class_of(token.word) or "*" for token in tokens]
    all_stems = [token.word[:_STEM_LENGTH] for token in tokens]
    all_parts = [part_of_speech(token.text) if token.text[0].isalnum() else token.text for token in tokens]
    asks = {token.sentence for token in asking}
    for at, token in enumerate(tokens):
        stems, parts, kinds = (_near(one, at) for one in (all_stems, all_parts, classes))
        before, behind = classes[:at][::-1], classes[at + 1 :]
        yield [
            "^",
            *(f"w{step} {stems[step]}" for step in _STEPS),
            *(f"p{step} {parts[step]}" for step in (-1, 0, 1)),
            *(f"c{step} {kinds[step]}" for step in _STEPS),
            f"pp {parts[-1]} {parts[0]}",
            f"pn {parts[0]} {parts[1]}",
            *(f"ww{step} {stems[step]} {stems[step + 1]}" for step in (-2, -1, 0, 1)),
            f"k {intent}",
            f"k {intent} {kinds[-1]}",
            f"asks {token.sentence in asks}",
            f"place {min(at, 5)}",
            f"end {min(len(tokens) - at, 6)}",
            *(f"{name} {min(side.index(name), _FAR) if name in side else _FAR}" for name, side in (
                ("delete", before), ("delete", behind), ("know", before), ("memory", behind),
            )),
            f"before {next((one for one in before if one != '*'), '')}",
            f"behind {next((one for one in behind if one != '*'), '')}",
        ]  # fmt: skip


def _near(values: Sequence[str], at: int) -> dict[int, str]:
    """The values of a word and its neighbors; the empty text beyond the ends."""
    return {step: values[at + step] if 0 <= at + step < len(values) else "" for step in _STEPS}


def spans(tokens: Sequence[Token], intent: str) -> Iterator[tuple[int, int]]:
    """Where a subject may begin and end: within a sentence, and no longer than one is."""
    max_words = _MAX_STATEMENT_WORDS if intent == "remember" else _MAX_SUBJECT_WORDS
    for start, token in enumerate(tokens):
        for end in range(start, min(start + max_words, len(tokens))):
            if tokens[end].sentence == token.sentence:
                yield start, end


def find_subject(tokens: Sequence[Token], intent: str, asking: Sequence[Token]) -> Sequence[Token]:
    """The words that a command is about; none where no words fit well enough."""
    weights = load_class_weights("subject")
    scores = [
        {part: sum(weights.get(one, {}).get(part, 0.0) for one in features) for part in (INSIDE, FIRST, LAST)}
        for features in subject_features(tokens, intent, asking)
    ]
    sums = [0.0, *accumulate(score[INSIDE] for score in scores)]
    found = (
        (sums[end + 1] - sums[start] + scores[start][FIRST] + scores[end][LAST], start, end)
        for start, end in spans(tokens, intent)
    )
    score, start, end = max(found)
    return tokens[start : end + 1] if score > _MIN_SUBJECT_SCORE else []
