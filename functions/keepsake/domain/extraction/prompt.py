"""Builds the prompt for extracting memories from one message.

The model sees the message, its time, the author's two messages before, what the assistant said before, the texts of a
few related memories, and open to-dos. It sees no id, no memory key, nothing that other people wrote, no secret, and not
how much money somebody earns, owes or has. The instructions come first and never change, so that endpoints can cache
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.extraction.prompt_room import MAX_LINE_LENGTH, count_known, count_todos
from keepsake.domain.extraction.reply_schema import MAX_REPLY_TEXT, schema_of
from keepsake.domain.memory import MAX_PER_TURN, MemoryType
from keepsake.domain.replies.json_schema import without_limits
from keepsake.domain.screening.secret_detection import find_possible_secrets
from keepsake.domain.screening.sensitive_topics import find_financial_amounts
from keepsake.domain.text import strip_invisible
from keepsake.domain.timezones import find_timezone

VERSION = "extraction-4"
"""The version of the prompt: it changes with every change of the text."""

MAX_CONTEXT = 160
"""Characters of the assistant's message, and of the birth chart, in the prompt."""

MAX_BEFORE = 2
"""Messages of the author before that the model is shown."""

MAX_BEFORE_LENGTH = 100
"""Characters of each of them."""

_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_TEXTS = read_toml("data/prompt.toml", __package__)


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """What the prompt contains of one turn."""

    said: str
    said_at: datetime
    timezone: str | None = None
    assistant: str | None = None
    """The assistant's message before; None in shared conversations, because it may repeat words of others."""
    birth_chart: Mapping[str, Any] | None = None
    allowed_types: frozenset[MemoryType] = frozenset(MemoryType)
    known: Sequence[str] = ()
    """The texts of the memories that are related to the message; their numbers count from 1."""
    before: Sequence[str] = ()
    """The author's own messages before, newest first."""
    todos: Sequence[str] = ()
    """The texts of open to-dos; their numbers count from 1."""
    limit: int = MAX_PER_TURN
    """Memories that one message may make."""


def build_messages(turn: PromptTurn, *, schema_in_prompt: bool) -> list[dict[str, str]]:
    """The messages for the model: the instructions, then the turn as one JSON object."""
    parts = [_TEXTS["instructions"].format(most=turn.limit, text=MAX_REPLY_TEXT)]
    if schema_in_prompt:
        parts.append(_schema())
    return [{"role": "system", "content": "\n\n".join(parts)}, {"role": "user", "content": _turn(turn)}]


def correction_message(error: str) -> dict[str, str]:
    """The message that is added after an invalid reply; ``error`` does not repeat the reply."""
    text = f"Your answer to this could not be used: {error}. Answer once more, with JSON of the schema only."
    return {"role": "user", "content": text}


def shorten_message() -> dict[str, str]:
    """The message that is added after a reply that was cut off at the token limit."""
    text = "Your answer to this was cut off. Answer once more with one memory only, the most important, in few words."
    return {"role": "user", "content": text}


def mask_secrets(text: str) -> str:
    """The text with secrets, financial amounts and ids masked; without any, it is unchanged."""
    secrets = [(secret.start, secret.end) for secret in find_possible_secrets(text)]
    spans = sorted({*secrets, *find_financial_amounts(text)})
    seen, shown, begin = strip_invisible(text) if spans else text, [], 0
    for start, end in spans:
        if start >= begin:
            shown += [seen[begin:start], "[hidden]"]
        begin = max(begin, end)
    return _UUID.sub("[hidden]", "".join([*shown, seen[begin:]]))


def _schema() -> str:
    return f"The JSON schema of the answer: {json.dumps(without_limits(schema_of()), separators=(',', ':'))}"


def _turn(turn: PromptTurn) -> str:
    local = turn.said_at.astimezone(find_timezone(turn.timezone) or UTC)
    facts: dict[str, Any] = {"date": f"{local:%A, %Y-%m-%d %H:%M}"}
    if turn.allowed_types != frozenset(MemoryType):
        facts["note_only_types"] = sorted(turn.allowed_types)
    if turn.birth_chart and (chart := _chart(turn.birth_chart)):
        facts["birth_chart"] = chart
    if turn.before:
        facts["before"] = [
            mask_secrets(_last_part(text, MAX_BEFORE_LENGTH)) for text in reversed(turn.before[:MAX_BEFORE])
        ]
    if turn.assistant:
        facts["assistant_before"] = mask_secrets(_last_part(turn.assistant))
    if turn.known:
        facts["known"] = _numbered(turn.known[: count_known(turn.known)])
    if turn.todos:
        facts["open_todos"] = _numbered(turn.todos[: count_todos(turn.todos)])
    facts["message"] = mask_secrets(turn.said)
    return json.dumps(facts, ensure_ascii=False)


def _numbered(texts: Sequence[str]) -> list[str]:
    shown = (mask_secrets(" ".join(text.split())) for text in texts)
    return [f"{number}: {_first_part(text)}" for number, text in enumerate(shown, start=1)]


def _last_part(text: str, length: int = MAX_CONTEXT) -> str:
    """The end of a message before, where a question of the assistant is."""
    return text if len(text) <= length else f"…{text[1 - length :]}"


def _first_part(text: str) -> str:
    """The beginning of a memory, cut between two words, and never within a name or a date."""
    if len(text) <= MAX_LINE_LENGTH:
        return text
    spaces = [place for place, letter in enumerate(text[:MAX_LINE_LENGTH]) if letter == " "]
    borders = [place for place in spaces if not _is_within_name(text, place)]
    end = (borders or spaces or [MAX_LINE_LENGTH - 1])[-1]
    return f"{text[:end].rstrip(' ,;:')}…"


def _is_within_name(text: str, space: int) -> bool:
    """Whether the words beside a space are both of a name or a date: "Hollis Creek", "6 April"."""
    before, after = text[:space].rpartition(" ")[2], text[space + 1 :]
    return all(word[:1].isupper() or word[:1].isdecimal() for word in (before, after))


def _chart(chart: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of the chart that fit, without those that could be an id."""
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
