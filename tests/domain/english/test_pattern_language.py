"""The language of patterns: what it stands for, by what it matches."""

from __future__ import annotations

import re

import pytest

from keepsake.domain.english.patterns.pattern_language import Lists, translate

LISTS = Lists({"number": r"\d+"}, {"drinks": ["tea", "coffee", "{juices} juice"], "juices": "(apple|orange)"})


@pytest.mark.parametrize(
    "pattern, matches, others",
    [
        ("I like tea", ["I like tea"], ["I like tea."]),
        ("I (like|love) tea", ["I like tea", "I love tea"], ["I tea", "I likelove tea"]),
        ("I [really|still] like tea", ["I like tea", "I still like tea"], ["I  like tea", "I really still like tea"]),
        ("I [really|still]* like tea", ["I really still like tea", "I like tea"], ["I reallystill like tea"]),
        ("[please] [do] stop", ["stop", "do stop", "please do stop"], [" stop", "please  stop"]),
        ("I like tea [too] [now]", ["I like tea", "I like tea now", "I like tea too now"], ["I like tea "]),
        ("my [nick]name", ["my name", "my nickname"], ["my nick name"]),
        ("dog[s][,] [big]", ["dog", "dogs, big", "dog big"], ["dog,big"]),
        ("I like <what>", ["I like tea"], ["I like "]),
        ("I am <age: {number}>", ["I am 7"], ["I am old"]),
        ("I drink {drinks}", ["I drink tea", "I drink apple juice"], ["I drink juice"]),
        ("I like !(it|this)<what>", ["I like itching"], ["I like it", "I like this one"]),
        ("I like tea...", ["I like tea", "I like tea a lot"], ["I like teas"]),
        ("I like tea[, ...]", ["I like tea", "I like tea, a lot"], ["I like tea a lot"]),
        ("$5.50", ["$5.50"], ["$5x50"]),
    ],
)
def test_translate__matches(pattern: str, matches: list[str], others: list[str]) -> None:
    compiled = re.compile(translate(pattern, LISTS))
    assert [text for text in matches if not compiled.fullmatch(text)] == []
    assert [text for text in others if compiled.fullmatch(text)] == []


def test_translate__slots_hold_what_was_said() -> None:
    match = re.fullmatch(translate("I like <what> [and <other>]", LISTS), "I like tea and rain")
    assert match is not None
    assert match.groupdict() == {"what": "tea", "other": "rain"}
