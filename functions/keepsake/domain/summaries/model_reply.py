"""The forms of a model's summaries: the JSON schema of each, and how a reply is read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keepsake.domain.extraction.reply_schema import InvalidReply
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.text import has_forbidden_characters, truncate_at_sentence, truncate_words

_MAX_ITEM = 120
"""Characters of an item of a list."""
_MAX_READ = 8_000
"""Characters of one text of a reply that are read."""

Content = Mapping[str, str | list[str]]
"""The texts and lists of a summary by the names of their fields."""


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """The texts of a reply with the most characters of each, and its lists with the most items of each."""

    texts: Mapping[str, int]
    lists: Mapping[str, int]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema, in the strict form that endpoints enforce."""
        properties: dict[str, Any] = {name: {"type": "string"} for name in self.texts}
        properties |= {name: {"type": "array", "items": {"type": "string"}} for name in self.lists}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def read(self, reply: str, evidence: Evidence) -> Content:
        """What of a reply its sources support; InvalidReply where it is not of the schema, or nothing is left."""
        fields = self._parse(reply)
        texts = {
            name: _cut(evidence.keep_sentences(fields[name][:_MAX_READ]), most) for name, most in self.texts.items()
        }
        lists = {name: evidence.keep_items(map(_short, fields[name]))[:most] for name, most in self.lists.items()}
        if not any(texts.values()) and (texts or not any(lists.values())):
            raise InvalidReply("nothing in it rests on the data")
        return {**texts, **{name: [item for item in items if item] for name, items in lists.items()}}

    def _parse(self, reply: str) -> dict[str, Any]:
        try:
            fields = json.loads(reply)
        except (ValueError, RecursionError):
            raise InvalidReply("it was not valid JSON") from None
        if not isinstance(fields, dict):
            raise InvalidReply("it was not an object")
        for name in self.texts:
            if not isinstance(fields.get(name), str):
                raise InvalidReply(f"{name} was missing or no text")
        for name in self.lists:
            if not isinstance(fields.get(name), list) or not all(isinstance(item, str) for item in fields[name]):
                raise InvalidReply(f"{name} was missing or no list of texts")
        return fields


def _cut(text: str, limit: int) -> str:
    if has_forbidden_characters(text):
        return ""
    cut, _ = truncate_at_sentence(text, limit)
    return truncate_words(cut, limit).strip()


def _short(item: str) -> str:
    return "" if has_forbidden_characters(item) or len(item) > _MAX_ITEM else item
