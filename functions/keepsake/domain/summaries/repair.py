"""The second request for a summary: only the sentences that do not rest on what they cite, each with its reason.

The model sees them with the texts that they may rest on, and writes each anew or leaves it out. What was supported of
its first reply stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText, read_object
from keepsake.domain.replies.shape import ReplyShape
from keepsake.domain.summaries.citable import Citable, show_texts
from keepsake.domain.summaries.model_reply import Checked, Reading, split_sentences, texts_in
from keepsake.domain.summaries.prompt import REPAIR, SummaryPrompt, build_request
from keepsake.domain.text import stem, words

_FIELD = "sentences"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {_FIELD: {"type": "array", "items": {"type": "string"}}},
    "required": [_FIELD],
    "additionalProperties": False,
}
_MAX_SENT = 8
"""Sentences that are sent back."""
_NEAREST = 2
"""Texts beside those that a sentence cites, with most of its words."""


@dataclass(frozen=True, slots=True)
class Repair:
    """The refused sentences of a reply, and the prompt that the reply answers."""

    prompt: SummaryPrompt
    first: Reading

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the answer."""
        return _SCHEMA

    def build_messages(self, *, schema_in_prompt: bool) -> list[dict[str, str]]:
        """The messages for the model."""
        data: dict[str, Any] = {"person": self.prompt.evidence.person} if self.prompt.evidence.person else {}
        data[_FIELD] = [{"text": one.shown, "wrong": one.fault} for _, one in self._refused]
        data["texts"] = show_texts({number: self.prompt.evidence.texts[number] for number in self._numbers})
        return build_request(REPAIR, data, _SCHEMA if schema_in_prompt else None)

    def read(self, reply: ReplyText) -> Reading:
        """The first reply with what the model wrote in the place of the refused sentences, if it is supported."""
        read = read_object(reply, ReplyShape(frozenset({_FIELD})))
        written = texts_in(read.fields.get(_FIELD), keeps_blank=True)
        if len(written) != len(self._refused):
            raise InvalidReply(f'"{_FIELD}" has not as many items as sentences were sent')
        replaced = {id(one): self._check(name, text) for (name, one), text in zip(self._refused, written, strict=True)}
        fields = {
            name: [new for one in checked for new in replaced.get(id(one), [one])]
            for name, checked in self.first.checked.items()
        }
        return self.prompt.form.reading_of(fields, read.repairs)

    def _check(self, name: str, text: str) -> list[Checked]:
        """The sentences of a replacement, if all are supported; the first that is not, otherwise."""
        evidence = self.prompt.evidence.for_field(name)
        checked = [
            Checked(sentence, tuple(numbers), evidence.find_fault(sentence, numbers), evidence.cited(numbers))
            for sentence, numbers in split_sentences(text)
        ]
        refused = [one for one in checked if one.fault]
        return refused[:1] or checked or [Checked("", (), "it was left out")]

    @property
    def _refused(self) -> Sequence[tuple[str, Checked]]:
        return [(name, one) for name, checked in self.first.checked.items() for one in checked if one.fault][:_MAX_SENT]

    @property
    def _numbers(self) -> Sequence[int]:
        """The texts that the sentences cite, and those that are nearest to them."""
        texts = {
            number: text
            for name, _ in self._refused
            for number, text in self.prompt.evidence.for_field(name).texts.items()
        }
        found: set[int] = set()
        for _, one in self._refused:
            shared = {number: len(_stems(one.text) & _stems_of(text)) for number, text in texts.items()}
            nearest = sorted(shared, key=shared.__getitem__, reverse=True)[:_NEAREST]
            found |= (set(one.numbers) & texts.keys()) | set(nearest)
        return sorted(found)


def _stems_of(text: Citable) -> frozenset[str]:
    return _stems(f"{text.text} {text.when}")


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words(text)))
