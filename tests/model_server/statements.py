"""What the scripted model finds in a message: a table of plain statements, and whatever the rules find besides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from keepsake.domain.memory import Candidate
from keepsake.domain.reading import read
from tests.model_server.known import Known, relation_to
from tests.support.memories import NOW

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
     {"many": True, "relation": "ends"}),
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
        "relation": "new",
        "number": None,
        "type": "fact",
        "subtype": "other",
        "text": text,
        "quote": quote,
        "confidence": 0.8,
        "about": "self",
        "attribute": "note",
        "value": quote,
        "many": False,
        "importance": 1,
        "entity": None,
        "language": "en",
        "astro_context": None,
    }
    return plain | more


def find(said: str, known: Sequence[str] = ()) -> list[Memory]:
    """The statements of a message, and what they do to what is ``known``: those of the table in their order first."""
    shown = [Known.of(line) for line in known]
    found = [one for sentence in _SENTENCE.findall(said) for one in _in_sentence(sentence.strip())]
    for candidate in read(said, said_at=NOW).candidates:
        if not any(candidate.quote.casefold() in one["quote"].casefold() for one in found):
            found.append(_as_memory(candidate))
    return [one | relation_to(shown, one["text"], one["quote"], one["relation"]) for one in found] or [
        memory("", quote, value="", **relation)
        for sentence in _SENTENCE.findall(said)
        if (quote := sentence.strip()) and (relation := relation_to(shown, "", quote, "new"))["number"]
    ]


def _in_sentence(sentence: str) -> Iterator[Memory]:
    for pattern, type_, subtype, attribute, value, text, more in _TABLE:
        match = re.fullmatch(rf"(?:actually,? )?{pattern}", sentence.replace("’", "'"), re.IGNORECASE)
        if match is None:
            continue
        told = match.expand(text)
        about = match.expand(more.get("about", "self")).casefold()
        corrected = "replaces" if sentence.casefold().startswith("actually") else "new"
        yield memory(
            told[0].upper() + told[1:],
            sentence,
            type=type_,
            subtype=subtype,
            attribute=match.expand(attribute).casefold(),
            value=match.expand(value),
            **({"relation": corrected} | more | {"about": about}),
        )
        return


def _as_memory(candidate: Candidate) -> Memory:
    """What the rules found, as a model tells it."""
    _, _, owner, *rest = (candidate.key or "fact|person|self|note").split("|")
    attribute, *tail = rest if owner == "self" else rest[-1:] or ["note"]
    value = " ".join(tail).replace("_", " ")
    corrected = "replaces" if candidate.corrects else "new"
    return memory(
        candidate.text,
        candidate.quote,
        type=candidate.type.value,
        subtype=candidate.subtype.value,
        confidence=candidate.confidence,
        about=owner.replace("_", " "),
        attribute=attribute,
        value=value if value in candidate.quote.casefold() else (candidate.value or "").replace("_", " "),
        many=bool(tail),
        importance=candidate.importance,
        relation="ends" if candidate.retracts else corrected,
    )
