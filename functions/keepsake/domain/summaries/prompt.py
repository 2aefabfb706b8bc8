"""Builds the prompts of summaries: the instructions, then the data as one JSON object that no text in it can close."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable, hash_citable, show_texts
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.text import words

VERSION = "summary-9"
"""The version of the prompts: it changes with every change of their text."""

_TEXTS = read_toml("data/prompts.toml", __package__)
RULES: str = _TEXTS["rules"]
_RULE_OF_MESSAGES: str = _TEXTS["rule_of_messages"]
_WITHOUT_MESSAGES = frozenset[str](_TEXTS["without_messages"])
TASKS: Mapping[str, str] = _TEXTS["tasks"] | {
    name: "\n- ".join(
        [joined["how"], *(_TEXTS["tasks"][part].split("\n- ", 1)[1] for part in joined["of"]), *joined["fields"]]
    )
    for name, joined in _TEXTS["joined_tasks"].items()
}
"""What the model is to write, by the task."""

REVIEW = "review"
"""The task of the second request."""

_MAX_KNOWN = 10
"""Memories from before that are shown beside the texts."""
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


@dataclass(frozen=True, slots=True)
class SummaryPrompt:
    """A task of ``TASKS``, the form of its reply, the data to summarize, and what a reply may rest on."""

    task: str
    form: ReplyForm
    data: Mapping[str, Any]
    evidence: Evidence

    @classmethod
    def of(
        cls,
        task: str,
        form: ReplyForm,
        texts: Sequence[Citable],
        *,
        author: Author | None,
        known: Sequence[Citable] = (),
        is_shared: bool = False,
        **more: str | Sequence[str],
    ) -> SummaryPrompt:
        """The prompt for numbered texts of one person, with their name and pronouns where these may be shown."""
        numbered = number_texts(texts)
        data: dict[str, Any] = {"person": author.name} if author else {}
        data |= {"pronouns": author.pronouns} if author and author.pronouns else {}
        data |= {key: value for key, value in more.items() if value}
        known = choose_known(known, texts)
        if known:
            data["known"] = [one.text for one in known]
        data["texts"] = show_texts(numbered)
        named = [text for part in more.values() for text in ([part] if isinstance(part, str) else part)]
        own_name = author.name if author else ""
        named = [*filter(None, [own_name]), *(one.text for one in known), *named]
        return cls(task, form, data, Evidence(numbered, named, own_name, is_shared))

    @property
    def texts(self) -> Sequence[Citable]:
        """The numbered texts, in their order."""
        return list(self.evidence.texts.values())

    @property
    def sources_hash(self) -> str:
        """The same for the same texts."""
        return hash_citable(self.texts)

    def build_messages(self, *, schema_in_prompt: bool) -> list[dict[str, str]]:
        """The messages for the model."""
        return build_request(self.task, self.data, self.form.schema if schema_in_prompt else None)

    def correction_message(self, error: str) -> dict[str, str]:
        """The message that is added after an invalid reply."""
        again = f"Answer once more, with JSON only. {_schema(self.form.schema)}"
        text = f"Your answer to this could not be used: {error}. {again}"
        return {"role": "user", "content": text}

    def shorten_message(self) -> dict[str, str]:
        """The message that is added after a reply that was cut off at the token limit."""
        text = "Your answer to this was cut off. Answer once more in half as many words."
        return {"role": "user", "content": text}


def build_request(task: str, data: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """The messages of a request: the task and the rules, the schema where it is to stand there, and the data.

    The second request has the rules that it needs in its task.
    """
    rules = RULES if task in _WITHOUT_MESSAGES else f"{RULES}\n{_RULE_OF_MESSAGES}"
    parts = [TASKS[task], *([] if task == REVIEW else [rules]), *([_schema(schema)] if schema else [])]
    content = f"<data>\n{_encode(data)}\n</data>"
    return [{"role": "system", "content": "\n\n".join(parts)}, {"role": "user", "content": content}]


def _schema(schema: Mapping[str, Any]) -> str:
    return f"The JSON schema of the answer: {json.dumps(schema, separators=(',', ':'))}"


def choose_known(known: Sequence[Citable], texts: Sequence[Citable]) -> list[Citable]:
    """What is known from before and shares words with the texts, but for what they say themselves."""
    shown = {memory_id for one in texts for memory_id in one.memory_ids}
    own = _content(" ".join(one.text for one in texts))
    other = (one for one in known if not shown & set(one.memory_ids))
    return [one for one in other if _content(one.text) & own][:_MAX_KNOWN]


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if word not in STOPWORDS)


def number_texts(texts: Sequence[Citable], first: int = 1) -> dict[int, Citable]:
    """The texts by their numbers."""
    return dict(enumerate(texts, first))


def _encode(data: Mapping[str, Any]) -> str:
    """The data as JSON, in which no text can end the delimiters, without secrets and ids."""
    return json.dumps(_masked(data), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _masked(data: Any) -> Any:
    if isinstance(data, str):
        return _mask_text(data)
    if isinstance(data, Mapping):
        return {name: _masked(part) for name, part in data.items()}
    return [_masked(part) for part in data] if isinstance(data, Sequence) else data


@lru_cache(maxsize=1024)  # the review shows the texts of a summary again, as does that of the week those of a day
def _mask_text(text: str) -> str:
    return mask_secrets(text)
