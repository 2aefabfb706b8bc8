"""Right replies in the wrappings that models and servers put around them, composed at random."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from keepsake.domain.replies.read_object import ReplyText

Member = dict[str, Any]

_TEXTS = (
    "Lives in Bergen",
    "Sister's name is Ylva",
    'Calls the cat "Mister {Whiskers}"',
    "Says </think> when done thinking",
    "Types ``` in chats, and ] too",
    "Bor i Tromsø, liker små båter",
    "好きな食べ物はラーメン",
    "Was told: don't, and said [no]",
    "Has a dog // a cat # and a bird",
    "Swims on Tuesdays, runs on Fridays",
    "Uses C:\\temp\\new for work",
)


def member(random_: random.Random, text: str) -> Member:
    """One memory with this text."""
    return {
        "relation": random_.choice(["new", "replaces"]),
        "number": random_.choice([None, 3]),
        "type": "fact",
        "subtype": "identity",
        "text": text,
        "quote": text.lower(),
        "confidence": 0.9,
        "about": "self",
        "attribute": "home",
        "value": text,
        "many": random_.choice([True, False]),
        "importance": 3,
        "entity": random_.choice([None, {"kind": "person", "name": "Ylva"}]),
        "language": "en",
        "astro_context": None,
    }


def members(random_: random.Random) -> list[Member]:
    """One to three memories."""
    return [member(random_, text) for text in random_.sample(_TEXTS, random_.randint(1, 3))]


def _plain(found: Sequence[Member], _: random.Random) -> Any:
    return {"memories": list(found)}


def _bare(found: Sequence[Member], _: random.Random) -> Any:
    return found[0] if len(found) == 1 else list(found)


def _wrapped(found: Sequence[Member], random_: random.Random) -> Any:
    name = random_.choice(["result", "response", "output", "arguments", "data"])
    return {**random_.choice([{}, {"name": "save"}]), name: {"memories": list(found)}}


def _renamed(found: Sequence[Member], random_: random.Random) -> Any:
    change: Callable[[str], str] = random_.choice([str.upper, str.title])
    return {change("memories"): [{change(name): part for name, part in one.items()} for one in found]}


def _listed(found: Sequence[Member], _: random.Random) -> Any:
    return [{"memories": list(found)}]


def _numbered(found: Sequence[Member], _: random.Random) -> Any:
    return {"memories": {str(number): one for number, one in enumerate(found, 1)}}


def _commas(value: Any, _: random.Random) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1).replace("\n}", ",\n}").replace("\n]", ",\n]")


def _comments(value: Any, random_: random.Random) -> str:
    mark = random_.choice(["// {0}", "/* {0} */"]).format("a remark about this one")
    first, *lines = json.dumps(value, ensure_ascii=False, indent=2).split("\n")
    return "\n".join([first, f"  {mark}", *lines])


def _lines(value: Any, _: random.Random) -> str:
    found = value.get("memories") if isinstance(value, Mapping) else value
    if not isinstance(found, list) or not all(isinstance(one, dict) and "text" in one for one in found):
        return json.dumps(value)
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in found)


def _without_last_bracket(value: Any, _: random.Random) -> str:
    return json.dumps(value)[:-1]


VALUES = (_plain, _plain, _bare, _wrapped, _renamed, _listed, _numbered)
SPELLINGS: tuple[Callable[[Any, random.Random], str], ...] = (
    lambda value, _: json.dumps(value),
    lambda value, _: json.dumps(value, ensure_ascii=False, indent=2),
    lambda value, _: repr(value),
    _commas,
    _comments,
    _lines,
    _without_last_bracket,
    lambda value, _: json.dumps(json.dumps(value)),
)


def _fence(text: str, random_: random.Random) -> str:
    mark = random_.choice(["```", "~~~"])
    return f"{mark}{random_.choice(['json', '', 'JSON'])}\n{text}\n{mark}"


def _prose(text: str, random_: random.Random) -> str:
    before = random_.choice(["Here it is:", "Set {self: home} first.", "Sure! I've noted this [1]:", "Answer:\n\n"])
    after = random_.choice(["", "Let me know {if} you need more.", "\n\nHope that's what you're after!"])
    return f"{before} {text} {after}"


def _thoughts(text: str, random_: random.Random) -> str:
    name = random_.choice(["think", "thinking", "reasoning"])
    thought = random_.choice(["", "\n\n", "They moved {I think}. [maybe]", 'A draft: {"memories": []} and so on.'])
    return random_.choice([f"<{name}>{thought}</{name}>\n\n{text}", f"{thought}\n</think>\n\n{text}"])


def _channels(text: str, _: random.Random) -> str:
    analysis = '<|channel|>analysis<|message|>Perhaps {"memories": []}.<|end|>'
    return f"{analysis}<|start|>assistant<|channel|>final<|message|>{text}<|return|>"


def _mark(text: str, _: random.Random) -> str:
    return f"\ufeff{text}"


AROUND = (_fence, _prose)
BEFORE = (_thoughts, _channels, _mark)


def wrapped(found: Sequence[Member], random_: random.Random) -> tuple[Sequence[Member], ReplyText]:
    """A reply in some wrappings at once, and the memories that it means."""
    spell = random_.choice(SPELLINGS)
    around: tuple[Callable[[str, random.Random], str], ...] = AROUND
    if spell is _without_last_bracket:  # where it ends, and what is a tag in it, only a fence can say
        around = (_fence,)
        found = [one for one in found if "<" not in one["text"]] or [member(random_, _TEXTS[0])]
    text = spell(random_.choice(VALUES)(found, random_), random_)
    for wrap in random_.sample(around, random_.randint(0, len(around))):
        text = wrap(text, random_)
    for before in random_.sample(BEFORE, random_.randint(0, 1)):
        text = before(text, random_)
    return found, random_.choice([ReplyText(text), ReplyText(text), ReplyText("", tool_call=text)])
