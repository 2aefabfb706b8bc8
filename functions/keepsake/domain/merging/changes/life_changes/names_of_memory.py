"""Finds the words by which a message may name a memory: not by those that say little."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.grammar.verb_phrase import bare_words
from keepsake.domain.english.grammar.word_forms import is_adverb, verb_form
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.life_changes.other_things import without_other_things
from keepsake.domain.merging.memory_kinds import is_of_self, kinds_of
from keepsake.domain.reading.changes import without_recipients
from keepsake.domain.text import normalize_apostrophes, stem

MAX_TARGETS = 5
"""Words that may mean more memories than this mean none of them."""
_CAPITALIZED = re.compile(r"(?<!^)(?<![.!?]\s)\b[A-Z][\w'-]*")
_GENERIC = frozenset(map(stem, load_words("words_that_name_nothing", __package__)))
_MAX_VERB = 3
"""The first words of a memory, among which its verb is."""
RESTRICTIONS = frozenset({"allergy", "intolerance", "avoids", "diet"})
"""Attributes of what the person must not or will not eat."""


@lru_cache(maxsize=512)
def names_of_memory(memory: Memory) -> frozenset[str]:
    """The stems of the words that name the memory; none where it tells what happened once."""
    text = normalize_apostrophes(memory.text)
    first, *rest = bare_words(text) or ("",)
    names = content_words(f"{' '.join(_CAPITALIZED.findall(text))} {memory.entity_label or ''}")
    if not is_of_self(memory):
        names |= content_words(first)
    elif _is_past_event(memory):
        return frozenset()
    else:
        names |= content_words(" ".join(rest))
        if "habit" in kinds_of(memory):
            names |= content_words(first)
    return frozenset(name for name in _naming_words(memory, names - _GENERIC) if not name.isdigit())


def said_names(memory: Memory, sentence: str) -> frozenset[str]:
    """The stems of the words of a sentence that name the memory, and not another thing whose name has them."""
    said = without_other_things(without_recipients(sentence), _words_of_memory(memory))
    return names_of_memory(memory) & content_words(said)


def _words_of_memory(memory: Memory) -> set[str]:
    """The stems of all that a memory says."""
    return content_words(f"{memory.text} {memory.entity_label or ''}")


def _naming_words(memory: Memory, stems: set[str]) -> set[str]:
    """Those of the stems that may name the memory: of an allergy or a diet, what is not eaten, and "allergy" or "diet".

    Whoever quits the bakery is as allergic as before, also where the memory is "Allergic to walnuts since the bakery".
    """
    key = parse_key(memory.key)
    if key.attribute not in RESTRICTIONS:
        return stems
    return stems & content_words(f"{key.attribute} {key.what or memory.value or ''}".replace("_", " "))


def _is_past_event(memory: Memory) -> bool:
    """Whether the memory tells what the person did once, which cannot be over ("Just applied to three schools")."""
    words = [word for word in bare_words(memory.text)[:_MAX_VERB] if not is_adverb(word)]
    form = verb_form(words[0]) if words else None
    return is_of_self(memory) and form is not None and form.is_past and not form.is_third_person
