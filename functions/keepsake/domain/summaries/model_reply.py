"""The forms of a model's summaries: the JSON schema of each, and how a reply is read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from keepsake.domain.replies.conversions import to_text
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText, read_object
from keepsake.domain.replies.shape import ReplyShape
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.text import has_forbidden_characters, truncate_at_sentence, truncate_words

_MAX_ITEM = 120
"""Characters of an item of a list."""
_MAX_READ = 8_000
"""Characters of one text of a reply that are read."""

Content = Mapping[str, str | list[str]]
"""The texts and lists of a summary by the names of their fields."""


@dataclass(frozen=True, slots=True)
class SummaryReply:
    """What a reply says, and what of it had to be unwrapped or repaired."""

    content: Content
    repairs: frozenset[str]


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

    def read(self, reply: ReplyText | str, evidence: Evidence) -> SummaryReply:
        """What of a reply its sources support; InvalidReply where it is not of the schema, or nothing is left."""
        read = read_object(ReplyText(reply) if isinstance(reply, str) else reply, ReplyShape(frozenset(self._names)))
        texts = {
            name: _cut(evidence.keep_sentences(_text_of(read.fields.get(name))[:_MAX_READ]), most)
            for name, most in self.texts.items()
        }
        lists = {
            name: evidence.keep_items(map(_short, _items_of(read.fields.get(name))))[:most]
            for name, most in self.lists.items()
        }
        if not any(texts.values()) and (texts or not any(lists.values())):
            raise InvalidReply("nothing in it rests on the data")
        content: Content = {**texts, **{name: [item for item in items if item] for name, items in lists.items()}}
        return SummaryReply(content, read.repairs)

    @property
    def _names(self) -> tuple[str, ...]:
        return (*self.texts, *self.lists)


def _text_of(value: Any) -> str:
    """A text of a reply; texts in a list are one, and what is no text is none."""
    text = to_text(" ".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value)
    return text if isinstance(text, str) else ""


def _items_of(value: Any) -> list[str]:
    """The items of a list of texts; a single text is one, and what is no text is left out."""
    items = value if isinstance(value, list) else [value]
    return [text for item in items if (text := _text_of(item))]


def _cut(text: str, limit: int) -> str:
    if has_forbidden_characters(text):
        return ""
    cut, _ = truncate_at_sentence(text, limit)
    return truncate_words(cut, limit).strip()


def _short(item: str) -> str:
    return "" if has_forbidden_characters(item) or len(item) > _MAX_ITEM else item
