"""Finds the beginning that people leave out: "41", "two kids", "living in Turin", "sold the car", "gym 3x a week".

A linear classifier over the words of a fragment says what stood before it ("I am", "I have", "I"), that nothing was
left out, or that the words state nothing by themselves. ``bench/training/beginning_model.py`` trains its weights.
"""

from __future__ import annotations

import re
from collections import defaultdict

from keepsake.domain.english.classifiers import lists_with, load_class_weights, part_of_speech, word_features
from keepsake.domain.english.grammar.word_forms import is_in, is_known_word
from keepsake.domain.english.third_person import with_article

NOTHING = "nothing"
"""In the place of a beginning: the words state nothing by themselves."""

_CONTRACTED = r"['\u2019](?:s|re|ve|ll|d|m)\b"
_WORD = re.compile(rf"{_CONTRACTED}|[^\W\d_]+(?:(?!{_CONTRACTED})['\u2019-][^\W\d_]+)*|\d[\d.,:/]*")
_HERE = re.compile(r" (?:over )?here(?: [A-Z]+)?$", re.IGNORECASE)
"""What people add to what they are, perhaps with a cheer."""
_NOW = ("now", "currently")
_MAX_WORDS = 40
_MAX_LENGTH = 6


def beginning_features(said: str, joint: str | None) -> list[str]:
    """The features of a fragment, each once; ``joint`` stands before it, where it does not begin its sentence."""
    tokens = _WORD.findall(_HERE.sub("", said))[:_MAX_WORDS]
    found = [*word_features(tokens), "first" if joint is None else f"joint {joint}"]
    if not tokens:
        return found
    tags = [token if token[0] in "'\u2019" else part_of_speech(token) for token in tokens]
    length = next((index for index, token in enumerate(tokens) if index and _ends_phrase(token)), len(tokens))
    head = tokens[length - 1].lower()
    found += (
        f"long {min(len(tokens), _MAX_LENGTH)}",
        f"^1 {tags[0]}",
        f"^2t {' '.join(tags[:2])}",
        f"^4 {' '.join(tags[:4])}",
        f"^ending {tokens[0].lower()[-3:]}",
        f"head {head}",
        f"head -{head[-3:]}",
        f"head -{head[-2:]}",
        f"head {min(_MAX_LENGTH, length)} {tags[length - 1]}",
        *(f"^1 in {name}" for name in lists_with(tokens[0].lower())),
        *(f"head in {name}" for name in lists_with(head)),
        *(f"head in {name} {tags[0]}" for name in lists_with(head)),
        *(f"behind {token.lower()}" for token in tokens[length : length + 1]),
        *(f"behind {tags[0]} {tag}" for tag in tags[length : length + 1]),
        *(f"later {tag}" for tag in tags[1:] if _is_finite(tag)),
    )
    return list(dict.fromkeys((*found, *(["capital"] if tokens[0][0].isupper() else []))))


def beginning_of(said: str, joint: str | None, margin: float) -> str:
    """What was left out before a fragment ("I am a"): "" where nothing was, ``NOTHING`` where it states nothing.

    A beginning is added where its score is so much better than that of words without one.
    """
    scores: defaultdict[str, float] = defaultdict(float)
    weights = load_class_weights("beginning")
    for feature in beginning_features(said, joint):
        for beginning, weight in weights.get(feature, {}).items():
            scores[beginning] += weight
    scores[""] += margin
    return max(scores, key=lambda beginning: scores[beginning])


def begin(beginning: str, said: str) -> str:
    """The statement of a fragment with its beginning."""
    first, _, others = said.partition(" ")
    said = _HERE.sub("", others if others and first.lower() in _NOW and beginning != "I am" else said)
    first = said.partition(" ")[0]
    is_common = first[1:].islower() and is_known_word(first.lower().partition("-")[0])
    words = said[:1].lower() + said[1:] if is_common else said
    if beginning != "I am a":
        return f"{beginning} {words}"
    return f"I am {words if words.lower().startswith(('a ', 'an ')) else with_article(words)}"


def _is_finite(tag: str) -> bool:
    """Whether a part of speech is likely that of a verb with a subject."""
    return tag.endswith(("Vs", "Vp", "VsA")) or tag[0] in "'\u2019" or is_in("auxiliaries", tag)


def _ends_phrase(token: str) -> bool:
    """Whether a word ends the first noun phrase."""
    word = token.lower()
    return not word[0].isalpha() or is_in("ends_noun_phrase", word) or is_in("auxiliaries", word)
