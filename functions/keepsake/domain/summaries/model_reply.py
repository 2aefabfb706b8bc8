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
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import CitedText, Content
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.text import truncate_words

_MAX_ITEM = 240
"""Characters of an item of a list."""
_MAX_READ = 8_000
"""Characters of one text of a reply that are read."""
_BACK = re.compile(
    r"(?:(?:before|after|because of|since|despite|instead of|besides) (?:that|this)\b|then\b|this\b"
    r"|that\b(?! (?:she|he|they)\b)|these\b|those\b|it\b"
    r"|so\b|therefore\b|instead\b|afterwards?\b|later,|meanwhile\b|also\b|both\b|neither\b"
    r"|(?:\w+ ){1,3}(?:also|too|therefore|instead) )",
    re.IGNORECASE,
)
"""How a sentence begins that says nothing without the one before it."""
_PRONOUN = re.compile(r"(?:he|she|they|his|her|their)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,] )[A-ZÀ-ÖØ-Þ][\w'’-]+")
_CITATION = re.compile(
    r"[\[(](?:n ?=? ?)?(?P<numbers>\d{1,4}(?: ?(?:[,;&–-]|and) ?\d{1,4}){0,60})[\])](?P<end>[.!?…]{0,3})"
)
_NEXT = re.compile(r"\s*[\[(]\d")
_NUMBER = re.compile(r"(?<!\d)\d{1,4}(?!\d)")
_PART = re.compile(r"(?P<first>\d{1,4}) ?[–-] ?(?P<last>\d{1,4})|(?P<one>\d{1,4})")
_MAX_RANGE = 30
_SENTENCE_ENDS = (".", "!", "?", "…", ".”", '."', "?”", '?"')


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence or item of a reply with the numbers that it cites, their texts, and why it may not be kept."""

    text: str
    numbers: tuple[int, ...]
    fault: str | None
    sources: tuple[Citable, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a reply its sources support, and all of it as it was checked."""

    content: Content
    checked: Mapping[str, Sequence[Checked]]
    repairs: frozenset[str] = frozenset()
    """What had to be unwrapped or repaired."""
    _texts: frozenset[str] = field(default_factory=frozenset)

    @property
    def has_something(self) -> bool:
        """Whether anything is left: a text, where there are texts."""
        return any(sentences for name, sentences in self.content.items() if name in self._texts)

    @property
    def refused(self) -> Sequence[Checked]:
        """What its sources do not support."""
        return [one for checked in self.checked.values() for one in checked if one.fault]


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """The texts of a reply with the most characters of each, and its lists with the most items of each.

    An item of ``relations`` says nothing but how texts stand to each other: "12 by [31]".
    """

    texts: Mapping[str, int]
    lists: Mapping[str, int]
    relations: frozenset[str] = frozenset()

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
        read = read_object(ReplyText(reply) if isinstance(reply, str) else reply, ReplyShape(self.names))
        checked: dict[str, Sequence[Checked]] = {}
        for name in self.texts:
            sentences = split_sentences(_text_of(read.fields.get(name))[:_MAX_READ])
            checked[name] = [_check(*one, evidence.for_field(name)) for one in sentences]
        for name in self.lists.keys() - self.relations:
            items = [
                item
                for text in texts_in(read.fields.get(name))
                if len(text) <= 2 * _MAX_ITEM
                for item in split_sentences(text)[:1]
            ]
            shown = [(text.rstrip("."), numbers) for text, numbers in items if len(text) <= _MAX_ITEM]
            checked[name] = [_check(*one, evidence.for_field(name)) for one in shown]
        for name in self.relations:
            related = [tuple(map(int, _NUMBER.findall(text))) for text in texts_in(read.fields.get(name))]
            checked[name] = [
                Checked(str(numbers), numbers, None, evidence.cited(numbers))
                for numbers in related
                if len(numbers) > 1 and evidence.texts.keys() >= set(numbers)
            ]
        return self.reading_of(checked, read.repairs)

    def reading_of(self, checked: Mapping[str, Sequence[Checked]], repairs: frozenset[str]) -> Reading:
        """What is kept of checked sentences and items: of a text neither what is refused nor what hangs on it."""
        content: dict[str, Sequence[CitedText]] = {}
        for name, sentences in checked.items():
            kept = _without_orphans(sentences) if name in self.texts else [one for one in sentences if not one.fault]
            cited = [CitedText(one.text, one.sources) for one in {one.text: one for one in reversed(kept)}.values()][
                ::-1
            ]
            content[name] = _within(cited, self.texts[name]) if name in self.texts else cited[: self.lists[name]]
        return Reading(content, checked, repairs, frozenset(self.texts or self.lists.keys() - self.relations))

    @property
    def names(self) -> frozenset[str]:
        """The names of the fields."""
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


def texts_in(value: Any, *, keeps_blank: bool = False) -> list[str]:
    """The items of a list of texts; a single text is one, and what is no text is left out."""
    items = value if isinstance(value, list) else [value]
    return [text for item in items if (text := _text_of(item)) or (keeps_blank and item == "")]


def split_sentences(text: str) -> list[tuple[str, list[int]]]:
    """What stands before each citation, with its numbers; what no citation follows has none.

    A number in parentheses within a sentence is an age where the text cites in brackets.
    """
    found: list[tuple[str, list[int]]] = []
    shown, begin = " ".join(text.split()), 0
    citations = list(_CITATION.finditer(shown))
    has_brackets = any(match[0].startswith("[") for match in citations)
    for match in citations:
        if has_brackets and match[0].startswith("(") and not match["end"]:
            continue
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


def _without_orphans(sentences: Sequence[Checked]) -> list[Checked]:
    """The sentences without those that are refused, and without what follows one and says nothing without it."""
    kept: list[Checked] = []
    refused: list[str] = []
    for one in sentences:
        if one.fault or (refused and _hangs_on(one.text, refused)):
            refused.append(one.text)
        else:
            kept.append(one)
            refused = []
    return kept


def _hangs_on(text: str, refused: Sequence[str]) -> bool:
    """Whether a sentence begins with a word for what was said before it, or with one for somebody named there."""
    if _BACK.match(text):
        return True
    names = (name for sentence in refused for name in _NAME.findall(sentence))
    return bool(_PRONOUN.match(text)) and any(name not in text for name in names)


def _check(text: str, numbers: Sequence[int], evidence: Evidence) -> Checked:
    return Checked(text, tuple(numbers), evidence.find_fault(text, numbers), evidence.cited(numbers))


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
