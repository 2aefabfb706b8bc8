"""What a language model is asked about one turn: pure text from the turn's facts, versioned, its size under test.

It sees what the person wrote, when, and as context what the assistant had just said. It sees no id, no key of a
memory, nothing that anybody else wrote, and no secret.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from keepsake.domain.extraction.prompt_text import EXAMPLES, INSTRUCTIONS
from keepsake.domain.memory import MAX_PER_TURN, MemoryType, Subtype
from keepsake.domain.screening.secret_detection import find_secrets
from keepsake.domain.text import strip_invisible
from keepsake.domain.timezones import find_timezone

VERSION = "extraction-1"
"""Counts up with every change of what the model is told."""

MAX_CONTEXT = 1000
"""Characters of the assistant's message, and of the birth chart, that the model is shown."""

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_TEXT: dict[str, Any] = {"type": "string"}


def _enum(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _object(properties: Mapping[str, Any], *, nullable: bool = False) -> dict[str, Any]:
    """An object as the strict mode wants it: every property required, no other allowed."""
    return {
        "type": ["object", "null"] if nullable else "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_MEMORY = _object(
    {
        "type": _enum(*MemoryType),
        "subtype": _enum(*Subtype),
        "text": _TEXT,
        "quote": _TEXT,
        "confidence": {"type": ["number", "null"]},
        "about": _TEXT,
        "attribute": _TEXT,
        "value": _TEXT,
        "many": {"type": "boolean"},
        "retracts": {"type": "boolean"},
        "corrects": {"type": "boolean"},
        "importance": {"type": "integer"},
        "entity": _object({"kind": _enum("person", "place", "org", "project"), "name": _TEXT}, nullable=True),
        "language": _TEXT,
        "astro_context": _object({"transits": {"type": "array", "items": _TEXT}}, nullable=True),
    }
)
SCHEMA: Mapping[str, Any] = _object({"memories": {"type": "array", "items": _MEMORY}})
"""The shape of a reply, as JSON schema in the strict form that endpoints enforce."""


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """What the model may know of one turn."""

    said: str
    said_at: datetime
    timezone: str | None = None
    assistant: str | None = None
    """The assistant's message just before; None also where others take part, for it may repeat their words."""
    birth_chart: Mapping[str, Any] | None = None
    allowed_types: frozenset[MemoryType] = frozenset(MemoryType)


def build_messages(turn: PromptTurn, *, schema_in_prompt: bool) -> list[dict[str, str]]:
    """The question: instructions first, then the turn as one JSON object that its texts cannot close."""
    parts = [INSTRUCTIONS.format(most=MAX_PER_TURN), EXAMPLES]
    if turn.allowed_types != frozenset(MemoryType):
        allowed = ", ".join(sorted(turn.allowed_types))
        parts.append(f"This person allows only these types: {allowed or 'none'}. Note nothing of another type.")
    if schema_in_prompt:
        parts.append(_schema())
    return [{"role": "system", "content": "\n\n".join(parts)}, {"role": "user", "content": _turn(turn)}]


def correction_message(error: str) -> dict[str, str]:
    """What is added where a reply could not be read; ``problem`` never repeats the reply."""
    told = f"Your answer to this could not be used: {error}. Answer once more, with JSON only. {_schema()}"
    return {"role": "user", "content": told}


def shorten_message() -> dict[str, str]:
    """What is added where a reply was cut off at its length."""
    told = "Your answer to this was cut off. Answer once more with one memory only, the most important, in few words."
    return {"role": "user", "content": told}


def mask_secrets(text: str) -> str:
    """The text with its secrets and ids masked, character for character the same where it holds none."""
    secrets = find_secrets(text)
    seen, shown, begin = strip_invisible(text) if secrets else text, [], 0
    for secret in secrets:
        if secret.end > begin:
            shown += [seen[begin : secret.start], "[hidden]"]
            begin = secret.end
    return _UUID.sub("[hidden]", "".join([*shown, seen[begin:]]))


def _schema() -> str:
    return f"The JSON schema of the answer: {json.dumps(SCHEMA, separators=(',', ':'))}"


def _turn(turn: PromptTurn) -> str:
    local = turn.said_at.astimezone(find_timezone(turn.timezone) or UTC)
    told: dict[str, Any] = {"date": f"{local:%A, %Y-%m-%d %H:%M}"}
    if turn.birth_chart and (chart := _chart(turn.birth_chart)):
        told["birth_chart"] = chart
    if turn.assistant:
        told["assistant_before"] = mask_secrets(_last_part(turn.assistant))
    told["message"] = mask_secrets(turn.said)
    return json.dumps(told, ensure_ascii=False)


def _last_part(text: str) -> str:
    """The last of what the assistant said: there its question stands."""
    return text if len(text) <= MAX_CONTEXT else f"…{text[1 - MAX_CONTEXT :]}"


def _chart(chart: Mapping[str, Any]) -> dict[str, Any]:
    """As many of the chart's entries as fit, without anything that could be an id."""
    kept: dict[str, Any] = {}
    room = MAX_CONTEXT
    for name, value in chart.items():
        shown = json.dumps(value, ensure_ascii=False)
        room -= len(name) + len(shown)
        if room < 0:
            break
        if not name.lower().endswith("id") and not _UUID.search(shown):
            kept[name] = value
    return kept
