"""The second request for a summary: what of its sentences the texts do not say, put right or left out.

Days, weeks, months and comparisons are reviewed as a whole: the model judges each sentence by the texts that it cites.
Of other summaries only the sentences go back that code refuses or doubts, each with its reason. What the model writes
in the place of a sentence is kept if it has no error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText, read_object
from keepsake.domain.replies.shape import ReplyShape
from keepsake.domain.summaries.citable import Citable, show_texts
from keepsake.domain.summaries.model_reply import Checked, Reading, split_sentences
from keepsake.domain.summaries.prompt import REVIEW, SummaryPrompt, build_request
from keepsake.domain.text import stem, words

_FIELD = "corrected"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        _FIELD: {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["number", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": [_FIELD],
    "additionalProperties": False,
}
_REVIEWED = frozenset({"day", "week", "month", "year"})
"""The tasks whose sentences are all sent."""
_MAX_SENT = 40
_NEAREST = 2
"""Texts beside those that a refused sentence cites, with most of its words."""


def is_reviewed(prompt: SummaryPrompt, first: Reading) -> bool:
    """Whether a reply goes back: it has something that is refused, or is of a task that is reviewed as a whole."""
    return bool(first.refused) or (first.has_something and prompt.task in _REVIEWED)


@dataclass(frozen=True, slots=True)
class Review:
    """A reply, and the prompt that it answers."""

    prompt: SummaryPrompt
    first: Reading

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the answer."""
        return _SCHEMA

    def build_messages(self, *, schema_in_prompt: bool) -> list[dict[str, str]]:
        """The messages for the model."""
        data: dict[str, Any] = {"person": self.prompt.evidence.person} if self.prompt.evidence.person else {}
        data["sentences"] = [
            {"number": number, "text": one.text, "cites": one.numbers} | ({"wrong": one.fault} if one.fault else {})
            for number, (_, one) in self._sent.items()
        ]
        data["texts"] = show_texts({number: self.prompt.evidence.texts[number] for number in self._numbers})
        return build_request(REVIEW, data, _SCHEMA if schema_in_prompt else None)

    def read(self, reply: ReplyText) -> Reading:
        """The first reply with what the model wrote in the place of its sentences, where that is supported."""
        read = read_object(reply, ReplyShape(frozenset({_FIELD})))
        corrected = read.fields.get(_FIELD)
        if not isinstance(corrected, list):
            raise InvalidReply(f'"{_FIELD}" is no list')
        sent, replaced = self._sent, dict[int, list[Checked]]()
        for item in corrected:
            number, text = (item.get("number"), item.get("text")) if isinstance(item, Mapping) else (None, None)
            if isinstance(number, int) and isinstance(text, str) and number in sent:
                name, one = sent[number]
                replaced[id(one)] = self._check(name, text)
        fields = {
            name: [new for one in checked for new in replaced.get(id(one), [one])]
            for name, checked in self.first.checked.items()
        }
        return self.prompt.form.reading_of(fields, read.repairs)

    def _check(self, name: str, text: str) -> list[Checked]:
        """The sentences of a replacement, if none has an error; the first that has one, otherwise.

        What code only doubts is the model's to judge: it has read the texts again.
        """
        evidence = self.prompt.evidence.for_field(name)
        checked = [
            Checked(sentence, tuple(numbers), evidence.find_error(sentence, numbers), evidence.cited(numbers))
            for sentence, numbers in split_sentences(text)
        ]
        refused = [one for one in checked if one.fault]
        return refused[:1] or checked or [Checked("", (), "it was left out")]

    @property
    def _sent(self) -> Mapping[int, tuple[str, Checked]]:
        """The sentences and items that the model sees, with the names of their fields, by number."""
        has_all = self.prompt.task in _REVIEWED
        found = [(name, one) for name, checked in self.first.checked.items() for one in checked if has_all or one.fault]
        return dict(enumerate(found[:_MAX_SENT], 1))

    @property
    def _numbers(self) -> Sequence[int]:
        """The texts that the sentences cite, and those that are nearest to refused ones."""
        found: set[int] = set()
        for name, one in self._sent.values():
            texts = self.prompt.evidence.for_field(name).texts
            found |= set(one.numbers) & texts.keys()
            if one.fault:
                shared = {number: len(_stems(one.text) & _stems_of(text)) for number, text in texts.items()}
                found |= set(sorted(shared, key=shared.__getitem__, reverse=True)[:_NEAREST])
        return sorted(found)


def _stems_of(text: Citable) -> frozenset[str]:
    return _stems(f"{text.text} {text.when}")


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))
