"""Whether a statement is in the past tense: "got married", "Met Keanu Reeves"."""

from __future__ import annotations

import re

from keepsake.domain.english.lemmas import known_lemmas, known_tags

_IRREGULAR_PAST = (
    "was", "were", "had", "did", "got", "died", "went", "lost", "left", "quit", "broke", "began", "bought", "sold",
    "gave", "met", "ran", "won", "saw", "came", "took", "made", "found", "flew", "swam", "fell", "caught", "drove",
    "ate", "drank", "sang", "spoke", "taught", "told", "slept", "spent", "threw", "wore", "wrote",
)  # fmt: skip
_PAST = re.compile(rf"\b(?:{'|'.join(_IRREGULAR_PAST)}|\w{{2,12}}ed)\b", re.IGNORECASE)
_NOT_PAST = re.compile(r"\b(?:is|are|will)\b", re.IGNORECASE)


def is_past(text: str) -> bool:
    """Whether a statement is in the past tense: "got married", "Met Keanu Reeves", not "is getting married"."""
    return (_PAST.search(text) is not None or begins_in_past(text)) and _NOT_PAST.search(text) is None


def begins_in_past(text: str) -> bool:
    """Whether a statement without its subject begins with a verb in the past tense ("Ran 5k", "Put up a shelf")."""
    verb = text.partition(" ")[0].lower()
    return any("VBD" in known_tags(verb, lemma) for lemma in known_lemmas(verb, "VERB"))
