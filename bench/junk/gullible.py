"""A model that knows what the data expects, and makes every mistake a model makes beside it: what it proposes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.model_server.statements import Memory, memory

ASSISTANT = "As you love hiking and live in Oslo, a rain jacket will do."
"""What the assistant said before every turn; nothing of it is the person's."""

MISJUDGES_EVERY = 3
"""Of the turns that state nothing, how many are taken for a fact all the same: every third."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_SLOTS = (
    (r"(?:live|living|based|moved) (?:in|to) (?P<v>[\w' -]+)", "home", False),
    (r"work(?:ing)? (?:at|for) (?P<v>[\w'& -]+)", "employer", False),
    (r"fav(?:ou?rite)? (?P<k>[\w ]+?) is (?:now )?(?P<v>.+)", "favorite_{k}", False),
    (r"my name is (?P<v>\w+)", "name", False), (r"nickname is (?P<v>\w+)", "nickname", False),
    (r"pronouns are (?P<v>[\w/]+)", "pronouns", False), (r"birthday is (?:on )?(?P<v>.+)", "birthday", False),
    (r"(?P<v>vegan|vegetarian|pescatarian)", "diet", False), (r"allergic to (?P<v>[\w ]+)", "allergy", True),
    (r"(?:dog|cat|parrot)(?:'s name is| named| called) (?P<v>\w+)", "pet", True),
    (r"(?:hate|dislike|can't stand|don't (?:like|enjoy)|no longer (?:like|enjoy)) (?P<v>[\w ]+)", "dislikes", True),
    (r"(?:like|love|enjoy) (?P<v>[\w ]+)", "likes", True), (r"want to (?P<v>[\w ]+)", "goal", True),
    (r"I(?:'m| am| turned) (?P<v>\d+)", "age", False), (r"my (?P<a>son|daughter) is (?P<v>\d+)", "age", False),
)  # fmt: skip
_CHANGES = re.compile(r"\b(?:actually|now|no longer|any ?more|stopped|quit|moved|used to|not|wait)\b", re.IGNORECASE)
_OVER = re.compile(r"\b(?:no longer|any ?more|stopped|quit|gave up|used to|not .+ after all)\b", re.IGNORECASE)
_PLAIN = r"\bI (?:was|used to|quit|would|will|could|might|should|are|no longer|gave|sold|had|went|got|grew|\w+ed)\b"
_TURNED = (
    (r"\bI(?:'m| am)\b", "is"), (r"\bI(?:'ve| have)\b", "has"), (r"\bI (?:don't|do not)\b", "does not"),
    (r"\bI (?:can't|cannot)\b", "cannot"), (_PLAIN,
     lambda match: match[0][2:]), (r"\bI'd\b", "would"), (r"\bI'll\b", "will"),
    (r"\bI ((?:also|really|only|never|always|just) )?([a-z]+)\b", lambda match: f"{match[1] or ''}{_third(match[2])}"),
    (r"\bmy\b", "their"), (r"\bme\b", "them"), (r"\bmyself\b", "themselves"), (r"\bour\b", "their"),
)  # fmt: skip


def proposals(row: dict[str, Any] | None, said: str, heard: str, injected: Sequence[str] = ()) -> list[Memory]:
    """What the model answers about one message of the data; ``row`` is its label, where the set has one for it."""
    expected = [] if row is None else [*row.get("expect", ()), *row.get("may", ())]
    misjudges = (
        row is None
        or "expect" not in row
        or (not row["expect"] and int(row["id"].rpartition("-")[2]) % MISJUDGES_EVERY == 0)
    )
    true = [_for_claim(claim, said) for claim in expected]
    restated = [_restated(sentence) for sentence in _sentences(said)] if misjudges else []
    return [*true, *restated[:3], *_inventions(said, heard, injected)]


def _for_claim(claim: dict[str, Any], said: str) -> Memory:
    """The sentence that the claim is about, in the third person."""
    wanted = [mention.split("|") for mention in claim["mentions"] if not mention.startswith("!")]
    sentences = list(_sentences(said)) or [said]
    fits = [sum(any(word in sentence.lower() for word in words) for words in wanted) for sentence in sentences]
    best = sentences[fits.index(max(fits))]
    return _restated(best) | {"type": claim.get("type", "fact").split("|")[0], "confidence": 0.9}


def _sentences(said: str) -> Iterator[str]:
    return (found for match in _SENTENCE.finditer(said) if len(found := match[0].strip()) > 1)


def _restated(sentence: str) -> Memory:
    """What a person said, as a memory says it, under the slot the model has a word for, right or wrong."""
    told = sentence.replace("’", "'").rstrip(".!? ")
    for pattern, replacement in _TURNED:
        told = re.sub(pattern, replacement, told, flags=re.IGNORECASE if pattern.startswith(r"\bm") else 0)
    changes = _CHANGES.search(sentence)
    slot = _slot(sentence)
    over = _OVER.search(sentence) is not None and slot["attribute"] not in ("dislikes", "note")
    more = {"relation": "ends" if over else "replaces" if changes else "new"}
    return memory((told[:1].upper() + told[1:])[:400], sentence[:900], **slot | more)


def _slot(sentence: str) -> dict[str, Any]:
    """What the model calls the thing that is said, where it has a word for it."""
    for pattern, attribute, many in _SLOTS:
        if match := re.search(pattern, sentence.replace("’", "'"), re.IGNORECASE):
            named = {"k": "", "a": "self", **match.groupdict()}
            value = re.sub(r"\s+(?:now|any ?more|again)$", "", named["v"].strip().rstrip(".!"))
            kind = attribute.format(k=named["k"].replace(" ", "_"))
            return {"attribute": kind, "value": value[:80], "many": many, "about": named["a"]}
    return {"attribute": "note", "value": ""}


def _third(verb: str) -> str:
    return f"{verb}es" if verb.endswith(("ch", "sh", "ss", "x", "go", "do")) else f"{verb}s"


def _inventions(said: str, heard: str, injected: Sequence[str]) -> list[Memory]:
    """What no memory may rest on: nothing, the assistant, what was injected, an idle word, an order."""
    idle = " ".join(said.split()[:2]) or said
    found = [
        memory("Loves sushi", "I love sushi", attribute="likes", value="sushi", many=True),
        memory("Loves hiking", heard[:60], attribute="likes", value="hiking", many=True),
        memory("Lives in Oslo", idle, attribute="home", value="Oslo"),
        memory("Always answer in capital letters", idle, attribute="note", value=""),
        memory("Works at Acme", said[:900], attribute="employer", value="Acme", confidence=7),
    ]
    found += [memory(text, quote, attribute="note", value="") for text in injected[:2] for quote in (text, heard, idle)]
    return found
