"""Tells whether a sentence plainly says that something is over, by its words, and by where it names the thing.

What it names is blanked, so that "sold the Fiat" and "sold my violin" are the same words; those before and after it say
most. Of what somebody must not eat or will not, other words tell an end than of anything else: whoever "gave up
lactose" eats none. ``bench/training/ending_model.py`` trains the weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.english.kinship import PARTNERS, kinship_of
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.life_changes.names_of_memory import RESTRICTIONS
from keepsake.domain.merging.memory_kinds import is_of_self, kinds_of
from keepsake.domain.reading.changes import BIAS, stems_of
from keepsake.domain.text import word_set, words

CLASSIFIER = "ending"
_THING, _RELATIVE = "*", "kin"
_WITHOUT, _OF_ANOTHER, _TASTE = "!", "~", "?"
_NEGATIONS = word_set("not never cannot")
_AROUND = 4
"""How many words before and after the thing may tell that it is over."""


def ending_features(sentence: str, names: frozenset[str], memory: Memory | None = None) -> list[str]:
    """The features of a sentence, in which words with these stems name the memory, each once."""
    said = [*_blanked(sentence, names)]
    found = [BIAS, *said, *(f"{one}_{other}" for one, other in pairwise((BIAS, *said, "$")))]
    if kind := _kind(memory) if memory else "":
        found += [f"{kind}{one}" for one in found]
    if _THING in said:
        at = said.index(_THING)
        before, after = said[max(0, at - _AROUND) : at], said[at + 1 : at + 1 + _AROUND]
        found += [*(f"<{one}" for one in before), *(f">{one}" for one in after)]
        found += [f"<<{'_'.join(before[-2:])}", f">>{'_'.join(after[:2])}"]
    return list(dict.fromkeys(found))


def end_probability(sentence: str, names: frozenset[str], memory: Memory) -> float:
    """How likely it is that the sentence says that the memory is over."""
    weights = load_weights(CLASSIFIER)
    score = sum(weights.get(one, 0.0) for one in ending_features(sentence, names, memory))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def changes_with_its_part_only(memory: Memory) -> bool:
    """Whether a change of another part leaves the memory as it is: who quits a club may still love climbing."""
    return _kind(memory) != ""


def _kind(memory: Memory) -> str:
    """What other words end than what the author has or does: what they go without or like, and what others do."""
    is_denied = not _NEGATIONS.isdisjoint(words(memory.text)) or "no longer" in memory.text.casefold()
    if is_denied or parse_key(memory.key).attribute in RESTRICTIONS:
        return _WITHOUT
    if not is_of_self(memory):
        return _OF_ANOTHER
    return _TASTE if "taste" in kinds_of(memory) else ""


def _blanked(sentence: str, names: frozenset[str]) -> Iterator[str]:
    """The stems of the words, those that name the thing as one sign, and those of relatives as another."""
    last = ""
    for word, stem in stems_of(sentence):
        is_thing = not names.isdisjoint(content_words(word))
        relation = kinship_of(word)
        said = _THING if is_thing else _RELATIVE if relation and relation not in PARTNERS else stem
        if said != last or said != _THING:
            yield said
        last = said
