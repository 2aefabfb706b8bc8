"""Builds the prompts of summaries: the instructions, then the data as one JSON object that no text in it can close."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.extraction.rules.patterns.pattern_file import read_toml
from keepsake.domain.summaries.model_reply import ReplyForm

VERSION = "summary-3"
"""The version of the prompts: it changes with every change of their text."""

_TEXTS = read_toml("data/prompts.toml", __package__)
RULES: str = _TEXTS["rules"]
TASKS: Mapping[str, str] = _TEXTS["tasks"]
"""What the model is to write, by the task."""

_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


@dataclass(frozen=True, slots=True)
class SummaryPrompt:
    """A task of ``TASKS``, the form of its reply, and the data to summarize."""

    task: str
    form: ReplyForm
    data: Mapping[str, Any]

    @classmethod
    def for_person(cls, name: str | None, task: str, form: ReplyForm, **data: Any) -> SummaryPrompt:
        """A prompt with the person's name, where it may be shown."""
        return cls(task, form, {"person": name, **data} if name else data)

    def build_messages(self, *, schema_in_prompt: bool) -> list[dict[str, str]]:
        """The messages for the model."""
        parts = [TASKS[self.task], RULES]
        if schema_in_prompt:
            parts.append(self._schema())
        content = f"<data>\n{_encode(self.data)}\n</data>"
        return [{"role": "system", "content": "\n\n".join(parts)}, {"role": "user", "content": content}]

    def correction_message(self, error: str) -> dict[str, str]:
        """The message that is added after an invalid reply; ``error`` does not repeat the reply."""
        text = f"Your answer to this could not be used: {error}. Answer once more, with JSON only. {self._schema()}"
        return {"role": "user", "content": text}

    def shorten_message(self) -> dict[str, str]:
        """The message that is added after a reply that was cut off at the token limit."""
        text = "Your answer to this was cut off. Answer once more in half as many words."
        return {"role": "user", "content": text}

    def _schema(self) -> str:
        return f"The JSON schema of the answer: {json.dumps(self.form.schema, separators=(',', ':'))}"


def texts_in(data: Any) -> list[str]:
    """Every text in the data: what a summary may rest on."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, Mapping):
        return [text for part in data.values() for text in texts_in(part)]
    if isinstance(data, Sequence):
        return [text for part in data for text in texts_in(part)]
    return []


def _encode(data: Mapping[str, Any]) -> str:
    """The data as JSON, in which no text can end the delimiters, without secrets and ids."""
    return json.dumps(_masked(data), ensure_ascii=False).translate(_ESCAPES)


def _masked(data: Any) -> Any:
    if isinstance(data, str):
        return mask_secrets(data)
    if isinstance(data, Mapping):
        return {name: _masked(part) for name, part in data.items()}
    return [_masked(part) for part in data] if isinstance(data, Sequence) else data
