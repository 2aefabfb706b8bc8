"""What an agent tells of a person ("User prefers morning workouts"), as a memory in Keepsake's own words and keys."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.english.third_person import capitalise
from keepsake.domain.extraction.rules.key_of_text import statement_of
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype

CONFIDENCE = 0.8
"""How sure a fact is that an agent tells: it may have understood the person, or not."""

_SUBJECT = re.compile(r"\A(?:the )?(?:user|person)(?:['’]s)? ", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def fact(content: str) -> Candidate | None:
    """The statement with its key where the rules know one; None where it says nothing or is too long."""
    said = " ".join(content.split())
    text = capitalise(_SUBJECT.sub("", said)).rstrip(".")
    if len(_WORD.findall(text)) < 2 or len(text) > MAX_TEXT_LENGTH:
        return None
    known = statement_of(text)
    if known is not None:
        return replace(known, quote="", confidence=min(known.confidence, CONFIDENCE))
    return Candidate(MemoryType.FACT, Subtype.OTHER, text, "", CONFIDENCE)
