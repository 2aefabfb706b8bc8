"""What the scripted model makes of the memories that it is shown: which of them a statement is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.english.similarity import content_words
from keepsake.domain.reading.statements.key_of_text import key_of

_ENDS = re.compile(
    r"\b(?:sold|died|passed away|no longer|not any ?more|broke up|fell through|gave up|quit|cancell?ed|lost)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:things with \w+ (?:ended|are weird)|(?:not|n't) (?:at|with|in) [\w ]+ any ?more|moved again)\b",
    re.IGNORECASE,
)
_HOME = re.compile(r"\bmoved again\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """A memory in the prompt ("2: Lives in Austin")."""

    number: int
    text: str

    @classmethod
    def of(cls, line: str) -> Known:
        """The memory of a line of the prompt."""
        number, _, text = line.partition(": ")
        return cls(int(number), text)


def relation_to(known: Sequence[Known], text: str, quote: str, relation: str) -> dict[str, Any]:
    """The relation of a statement and the number of the memory, as they stand in a reply."""
    key = key_of(text) if text else None
    for one in known:
        theirs = key_of(one.text)
        if key and theirs and key[0] == theirs[0]:
            return {"relation": "repeats" if key == theirs else "replaces", "number": one.number}
    named = [one for one in known if _is_named(one, quote)]
    if named and _DOUBTS.search(quote):
        return {"relation": "doubts", "number": named[0].number}
    if named and (relation == "ends" or _ENDS.search(quote)):
        return {"relation": "ends", "number": named[0].number}
    return {"relation": relation, "number": None}


def _is_named(known: Known, quote: str) -> bool:
    is_home = known.text.startswith("Lives in") and _HOME.search(quote) is not None
    return is_home or bool(content_words(known.text) & content_words(quote))
