"""How the person wants to be answered, where a model reads the message: the same closed set as the rules know.

English requests are read by the rules beside a model. A model names attribute and value, and the statement is one of
the listed ones, also where the model names the value in the person's language; in English only that of a capable
model counts. Another wish of such a model stays an ordinary statement; any other instruction is no memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from keepsake.domain.context.answer_preferences import ANSWER_SLOTS
from keepsake.domain.english.load_word_lists import load_lines
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.memory_key import parse_key
from keepsake.domain.screening.readable_text import UNSPACED_LETTER
from keepsake.domain.text import slug, word_set

_KINDS = frozenset({"fact", "pattern"})
"""Kinds of keys under which a model may note how to answer; under the second the value stands in the key."""
_FORMATS = ("bullet points", "tables", "numbered lists", "plain text", "short paragraphs")
_TONES = "formal casual friendly direct professional informal humorous serious encouraging relaxed neutral warm"
_LISTED: dict[str, tuple[str, frozenset[str]]] = {
    "answer_language": ("Prefers answers in {}", frozenset(load_lines("languages"))),
    "answer_length": ("Prefers {} answers", word_set("short detailed")),
    "answer_format": ("Prefers answers in {}", frozenset(_FORMATS)),
    "answer_tone": ("Prefers a {} tone", word_set(_TONES)),
    "answer_units": ("Prefers {} units", word_set("metric imperial celsius fahrenheit")),
    "answer_address": ("Prefers {} address", word_set("formal informal")),
    "answer_level": ("Prefers explanations for a {}", word_set("beginner child layperson professional")),
}
"""The statement of each slot, and the values that it may have."""


def _pattern(beginnings: str) -> re.Pattern[str]:
    """What begins with any of these; in a script without spaces, what contains it."""
    return re.compile("|".join(one if UNSPACED_LETTER.match(one) else rf"\b{one}" for one in beginnings.split()))


_IN_OTHER_LANGUAGES = {
    slot: {value: _pattern(beginnings) for value, beginnings in values.items()}
    for slot, values in read_toml("data/answer_values.toml", __package__).items()
}


def resolve_preferences(
    found: Sequence[Candidate], by_rules: Iterable[Candidate], *, is_english: bool
) -> tuple[list[Candidate], Counter[str]]:
    """The candidates of rules and a model, with preferences as listed statements, and how many were rejected why."""
    believed = {candidate.key for candidate in found if candidate.is_believed}
    stated = [one for one in by_rules if one.key not in believed or _attribute(one) in ANSWER_SLOTS]
    stated_keys = {candidate.key for candidate in stated}
    kept: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for candidate in found:
        if candidate.key in stated_keys:
            dropped["repeated"] += 1
        elif _attribute(candidate) not in ANSWER_SLOTS:
            kept.append(candidate)
        elif (candidate.is_believed or not is_english) and (listed := _listed(candidate)) is not None:
            kept.append(_without_order(listed))
        elif candidate.is_believed:
            kept.append(_without_order(replace(candidate, key=None, value=None)))
        else:
            dropped["instruction"] += 1
    return [*stated, *kept], dropped


def _attribute(candidate: Candidate) -> str:
    key = parse_key(candidate.key)
    return key.attribute if key.kind in _KINDS else ""


def _without_order(candidate: Candidate) -> Candidate:
    """Without the person's words, which are an order to the assistant: what a capable model says stands for them."""
    return replace(candidate, quote="") if candidate.is_believed else candidate


def _listed(candidate: Candidate) -> Candidate | None:
    """The candidate with the listed statement for its value; None where the value is not listed."""
    attribute = _attribute(candidate)
    form, values = _LISTED[attribute]
    wanted = candidate.value if parse_key(candidate.key).kind == "fact" else parse_key(candidate.key).last
    said = (wanted or "").replace("_", " ").casefold()
    translated = [one for one, words in _IN_OTHER_LANGUAGES.get(attribute, {}).items() if words.search(said)]
    named = [one for one in sorted(values) if f" {one} " in f" {said} "] or translated
    value = named[0] if named else said
    if value not in values:
        return None
    return replace(
        candidate,
        type=MemoryType.FACT,
        subtype=Subtype.PREFERENCE,
        text=form.format(value.title() if attribute == "answer_language" else value),
        key=f"fact|person|self|{attribute}",
        value=slug(f"in {value}" if attribute == "answer_format" else value),
        language="en",
        importance=max(candidate.importance, 2),
    )
