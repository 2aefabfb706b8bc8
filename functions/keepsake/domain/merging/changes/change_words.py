"""The words that tell of a change, as patterns: what may be one, whose it is, and what makes it none."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import FRIENDS, OTHERS, RELATIONS
from keepsake.domain.english.load_word_lists import load_alternations

WORDS = load_alternations("change_words", __package__)
"""The sections of ``change_words.txt``, each as one pattern."""
OF_OTHERS = re.compile(rf"\b(?:{WORDS['others']}|{RELATIONS}|{FRIENDS}|{OTHERS})\b", re.IGNORECASE)
"""Before a change: it is the change of somebody else."""
NEGATION = re.compile(r"\b(?:not|never|cannot|no longer)\b", re.IGNORECASE)
"""In a memory: it says what is not so, which nothing ends."""
MAX_TARGETS = 5
"""Words that may mean more memories than this mean none of them."""
