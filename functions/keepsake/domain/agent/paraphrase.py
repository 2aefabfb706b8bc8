"""Whether an agent's statement says in other words what the person said: "Home is in Oslo" beside "Lives in Oslo"."""

from __future__ import annotations

import re
from functools import cache

from keepsake.domain.english.load_word_lists import load_sections
from keepsake.domain.english.similarity import content_words, difference
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.text import stem

_OTHER_STATEMENT = frozenset({"numbers", "kinship", "names"})
_NEGATED = re.compile(r"\b(?:no|not|never|nor|none|nothing|without|cannot)\b|n['’]t\b", re.IGNORECASE)


def is_paraphrase(candidate: Candidate, memory: Memory) -> bool:
    """Whether both have the same words, except that some are others for the same or add nothing."""
    if candidate.retracts or difference(candidate.text, memory.text) in _OTHER_STATEMENT:
        return False
    if bool(_NEGATED.search(candidate.text)) != bool(_NEGATED.search(memory.text)):
        return False
    said, known = _key_words(candidate.text), _key_words(memory.text)
    return bool(said) and said == known


def _key_words(text: str) -> frozenset[str]:
    """The stems of the words that carry the meaning, one for all words that mean the same."""
    same, light = _words()
    return frozenset(same.get(word, word) for word in content_words(text) if word not in light)


@cache
def _words() -> tuple[dict[str, str], frozenset[str]]:
    """For each stem the one that it counts as, and the stems that add nothing."""
    sections = load_sections("paraphrases", __package__)
    same = {stem(word): stem(line.split()[0]) for line in sections["same"] for word in line.split()}
    return same, frozenset(stem(word) for line in sections["light"] for word in line.split())
