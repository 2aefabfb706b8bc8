"""The forms of a model's summaries: the JSON schema of each, and how a reply is read and checked.

A reply ends each sentence, and each item of a list, with the numbers of what it rests on: "She got the job [4, 7]."
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from keepsake.domain.replies.conversions import to_text
from keepsake.domain.replies.read_object import ReplyText, read_object
from keepsake.domain.replies.shape import ReplyShape
from keepsake.domain.summaries.cited import CitedText, Content
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.text import truncate_words

_MAX_ITEM = 120
"""Characters of an item of a list."""
_MAX_READ = 8_000
"""Characters of one text of a reply that are read."""
_MAX_SHOWN = 8
"""Refused sentences that are sent back with their reasons."""
_CITATION = re.compile(
    r"[\[(](?:n ?=? ?)?(?P<numbers>\d{1,4}(?: ?(?:[,;&–-]|and) ?\d{1,4}){0,60})[\])](?P<end>[.!?…]{0,3})"
)
_NEXT = re.compile(r"\s*[\[(]\d")
_PART = re.compile(r"(?P<first>\d{1,4}) ?[–-] ?(?P<last>\d{1,4})|(?P<one>\d{1,4})")
_MAX_RANGE = 30
_SENTENCE_ENDS = (".", "!", "?", "…", ".”", '."', "?”", '?"')


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a reply its sources support, and the sentences that they do not, with the reasons."""

    content: Content
    refused: Sequence[tuple[str, str]] = ()
    repairs: frozenset[str] = frozenset()
    """What had to be unwrapped or repaired."""
    _texts: frozenset[str] = field(default_factory=frozenset)

    @property
    def has_something(self) -> bool:
        """Whether anything is left: a text, where there are texts."""
        return any(sentences for name, sentences in self.content.items() if not self._texts or name in self._texts)

    @property
    def refusal(self) -> str:
        """What was wrong, in words for the model."""
        shown = "; ".join(f'"{text}" ({reason})' for text, reason in self.refused[:_MAX_SHOWN])
        return f"these do not rest on what they cite: {shown}. Put them right or leave them out, and keep the others"


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

    def read(self, reply: ReplyText | str, evidence: Evidence) -> Reading:
        """What of a reply its sources support; InvalidReply where it has none of the fields."""
        read = read_object(ReplyText(reply) if isinstance(reply, str) else reply, ReplyShape(self._names))
        fields = read.fields
        refused: list[tuple[str, str]] = []
        content: dict[str, Sequence[CitedText]] = {}
        for name, limit in self.texts.items():
            sentences = split_sentences(_text_of(fields.get(name))[:_MAX_READ])
            content[name] = _within(_supported(sentences, evidence.for_field(name), refused), limit)
        for name, most in self.lists.items():
            items = [
                item
                for text in _items_of(fields.get(name))
                if len(text) <= 2 * _MAX_ITEM
                for item in split_sentences(text)[:1]
            ]
            shown = [(text.rstrip("."), numbers) for text, numbers in items if len(text) <= _MAX_ITEM]
            content[name] = _supported(shown, evidence.for_field(name), refused)[:most]
        return Reading(content, refused, read.repairs, frozenset(self.texts))

    @property
    def _names(self) -> frozenset[str]:
        return frozenset((*self.texts, *self.lists))


def _text_of(value: Any) -> str:
    """A text of a reply; texts in a list are one, one with its numbers beside it ends with them, others are none."""
    if isinstance(value, list):
        return " ".join(filter(None, map(_text_of, value)))
    if isinstance(value, dict):
        texts = [one for one in value.values() if isinstance(one, str)]
        numbers = [one for one in value.values() if isinstance(one, list | int)]
        return (
            f"{texts[0]} {json.dumps(numbers[0] if isinstance(numbers[0], list) else numbers)}"
            if texts and numbers
            else ""
        )
    text = to_text(value)
    return text if isinstance(text, str) else ""


def _items_of(value: Any) -> list[str]:
    """The items of a list of texts; a single text is one, and what is no text is left out."""
    items = value if isinstance(value, list) else [value]
    return [text for item in items if (text := _text_of(item))]


def split_sentences(text: str) -> list[tuple[str, list[int]]]:
    """What stands before each citation, with its numbers; what no citation follows has none."""
    found: list[tuple[str, list[int]]] = []
    shown, begin = " ".join(text.split()), 0
    for match in _CITATION.finditer(shown):
        sentence, numbers = shown[begin : match.start()].strip(), _numbers(match["numbers"])
        begin = match.end()
        if not sentence.strip(" .,;"):  # "[4] [7]" or "[4], [7]": more of the same sentence
            if found:
                before, earlier = found[-1]
                is_open = bool(match["end"]) and not before.endswith(_SENTENCE_ENDS)
                found[-1] = (f"{before}{match['end']}" if is_open else before, [*earlier, *numbers])
            continue
        is_end = match["end"] or sentence.endswith(_SENTENCE_ENDS) or _goes_on(shown[begin:])
        found.append((sentence + match["end"] if is_end else sentence, numbers))
    if shown[begin:].strip(" .,;"):
        found.append((shown[begin:].strip(), []))
    return _join_parts(found)


def _goes_on(rest: str) -> bool:
    """Whether nothing of the same sentence follows: the text ends, or another sentence begins."""
    return not rest.strip(" ") or rest.lstrip()[:1].isupper() or _NEXT.match(rest) is not None


def _join_parts(found: Sequence[tuple[str, list[int]]]) -> list[tuple[str, list[int]]]:
    """The sentences, where a citation stands within one: "He drove up [3], and Truss stayed [4]." is one sentence."""
    sentences: list[tuple[str, list[int]]] = []
    is_open = False
    for text, numbers in found:
        if is_open:
            before, earlier = sentences[-1]
            glue = "" if text[:1] in ",;:.!?" else " "
            sentences[-1] = (f"{before}{glue}{text}", [*earlier, *numbers])
        else:
            sentences.append((text, list(numbers)))
        is_open = bool(numbers) and not sentences[-1][0].endswith(_SENTENCE_ENDS)
    return sentences


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for match in _PART.finditer(text):
        if match["one"]:
            numbers.append(int(match["one"]))
        else:
            first, last = int(match["first"]), int(match["last"])
            numbers += range(first, last + 1) if first <= last < first + _MAX_RANGE else (first, last)
    return numbers


def _supported(
    sentences: Sequence[tuple[str, list[int]]], evidence: Evidence, refused: list[tuple[str, str]]
) -> list[CitedText]:
    kept: dict[str, CitedText] = {}
    for text, numbers in sentences:
        fault = evidence.find_fault(text, numbers)
        if fault is None:
            kept.setdefault(text, CitedText(text, evidence.cited(numbers)))
        else:
            refused.append((text, fault))
    return list(kept.values())


def _within(sentences: Sequence[CitedText], limit: int) -> list[CitedText]:
    """The sentences within ``limit`` characters; the first is cut where it alone is longer."""
    kept: list[CitedText] = []
    left = limit
    for one in sentences:
        text = one.text if kept else truncate_words(one.text, limit)
        if len(text) > left:
            break
        kept.append(CitedText(text, one.sources))
        left -= len(text) + 1
    return kept
