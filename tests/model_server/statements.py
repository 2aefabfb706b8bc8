"""What the scripted model finds in a message: a small table of plain statements, told in the shape that was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Memory = dict[str, Any]

_SENTENCE = re.compile(r"[^.!?\n]+")

# pattern, then what is said of it: type, subtype, attribute, value, text, and what differs from MEMORY
_TABLE: tuple[tuple[str, str, str, str, str, str, dict[str, Any]], ...] = (
    (r"my name is (\w+)", "fact", "identity", "name", r"\1", r"Name is \1", {"confidence": 0.9}),
    (r"my favou?rite (\w+) is (.+)", "fact", "preference", r"favorite_\1", r"\2", r"Favorite \1 is \2", {}),
    (r"i live in (.+)", "fact", "identity", "home", r"\1", r"Lives in \1", {}),
    (r"i work at (.+)", "fact", "identity", "employer", r"\1", r"Works at \1", {}),
    (r"i work as an? (.+)", "fact", "identity", "occupation", r"\1", r"Works as a \1", {}),
    (r"i am allergic to (.+)", "fact", "identity", "allergy", r"\1", r"Allergic to \1", {"many": True}),
    (r"i (?:like|love) (.+)", "fact", "preference", "likes", r"\1", r"Likes \1", {"many": True}),
    (r"i don't like (.+) any ?more", "fact", "preference", "likes", r"\1", r"Does not like \1 any more",
     {"many": True, "retracts": True, "corrects": True}),
    (r"i want to (.+)", "goal", "other", "goal", r"\1", r"Wants to \1", {"many": True, "importance": 2}),
    (r"i feel (.+)", "emotion", "feeling", "feeling", r"\1", r"Feels \1", {"confidence": 0.5}),
    (r"i have an? (\w+) named (\w+)", "relationship", "relationship", "pet", r"\2", r"Has a \1 named \2",
     {"many": True}),
    (r"my (\w+) is (\d+) years old", "relationship", "relationship", "age", r"\2", r"\1 is \2 years old",
     {"about": r"\1"}),
)  # fmt: skip


def memory(text: str, quote: str, **more: Any) -> Memory:
    """One memory with every member of the schema; what is not said is as plain as it can be."""
    plain: Memory = {
        "type": "fact",
        "subtype": "other",
        "text": text,
        "quote": quote,
        "confidence": 0.8,
        "about": "self",
        "attribute": "note",
        "value": quote,
        "many": False,
        "retracts": False,
        "corrects": False,
        "importance": 1,
        "entity": None,
        "language": "en",
        "astro_context": None,
    }
    return plain | more


def find(said: str) -> list[Memory]:
    """The statements of a message, in its order."""
    return [found for sentence in _SENTENCE.findall(said) for found in _in_sentence(sentence.strip())]


def _in_sentence(sentence: str) -> Iterator[Memory]:
    for pattern, type_, subtype, attribute, value, text, more in _TABLE:
        match = re.fullmatch(rf"(?:actually,? )?{pattern}", sentence.replace("’", "'"), re.IGNORECASE)
        if match is None:
            continue
        told = match.expand(text)
        about = match.expand(more.get("about", "self")).casefold()
        corrects = more.get("corrects", sentence.casefold().startswith("actually"))
        yield memory(
            told[0].upper() + told[1:],
            sentence,
            type=type_,
            subtype=subtype,
            attribute=match.expand(attribute).casefold(),
            value=match.expand(value),
            **(more | {"about": about, "corrects": corrects}),
        )
        return
