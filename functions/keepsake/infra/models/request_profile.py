"""What an endpoint takes in a request for one model, as far as its answers have shown.

A refusal names an option by its parameter, or by a text that says that something is unsupported. What is left out after
a refusal is remembered only when the endpoint then answers: a text that only mentions a word teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

SchemaMode = Literal["json_schema", "json_object", "prompt"]

_MODES: tuple[SchemaMode, ...] = ("json_schema", "json_object", "prompt")
_LENGTH_OPTIONS = ("max_completion_tokens", "max_tokens")
_SCHEMA_LIMITS = ("maxLength", "maxItems")
"""Keywords of a schema that not every endpoint with a schema mode takes; both are left out together."""
_NO_THINKING: Mapping[str, tuple[Any, ...]] = {
    "reasoning_effort": ("none", "minimal", "low"),
    "chat_template_kwargs": ({"enable_thinking": False},),
    "think": (False,),
}
"""How endpoints are told not to think, with the values to try: fields of OpenAI, of vLLM and of Ollama."""
_UNSUPPORTED = re.compile(
    r"unsupported|not support|not permitted|not allowed|unrecognized|unknown|unexpected|extra (?:inputs?|fields?)"
    r"|invalid (?:parameter|argument|value|schema)|does not exist|must be|only the default",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"too (?:long|large|many (?:input )?tokens)|context[ _](?:length|size|window)|maximum (?:context|input|prompt)"
    r"|exceeds (?:the )?(?:\w+ ){0,4}(?:context|window|maximum)|reduce the length|prompt is longer",
    re.IGNORECASE,
)
_FORMAT_WORDS = ("response_format", "json_schema", "json_object")


def is_too_long(text: str) -> bool:
    """Whether an error says that a request is longer than the model reads."""
    return _TOO_LONG.search(text) is not None


@dataclass(frozen=True, slots=True)
class RequestProfile:
    """The options that are left out for a model, and how the form of its reply is asked for."""

    refused: frozenset[str] = frozenset()
    """Names of options; ``reasoning_effort=none`` is one of its values."""
    schema_mode: SchemaMode = "json_schema"

    def options(self, max_output_tokens: int, extra: Mapping[str, Any], *, may_think: bool) -> dict[str, Any]:
        """The options to send beside the messages and the form; ``extra`` is what the operator adds, and wins."""
        length = next((name for name in _LENGTH_OPTIONS if name not in self.refused), None)
        options: dict[str, Any] = {} if length is None else {length: max_output_tokens}
        if "temperature" not in self.refused:
            options["temperature"] = 0
        if not may_think:
            options |= self._no_thinking()
        return options | dict(extra)

    def response_format(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The form of the reply, as this mode asks for it."""
        if self.schema_mode == "json_schema":
            shown = _without_limits(schema) if _SCHEMA_LIMITS[0] in self.refused else dict(schema)
            described = {"name": "memories", "strict": True, "schema": shown}
            return {"response_format": {"type": "json_schema", "json_schema": described}}
        return {"response_format": {"type": "json_object"}} if self.schema_mode == "json_object" else {}

    def without(
        self, text: str, param: str, sent: Mapping[str, Any], *, extra: Mapping[str, Any], fixed_mode: bool
    ) -> RequestProfile | None:
        """The profile to try after a refusal with this text and parameter; None where it has another reason."""
        text, says_unsupported = text.lower(), _UNSUPPORTED.search(text) is not None
        for name in ("temperature", *_LENGTH_OPTIONS, *_NO_THINKING):
            if name in sent and name not in extra and _names(name, text, param, says_unsupported=says_unsupported):
                return self._refuse(f"{name}={sent[name]}" if name == "reasoning_effort" else name)
        is_named = param.startswith("response_format")
        has_limits = self.schema_mode == "json_schema" and _SCHEMA_LIMITS[0] not in self.refused
        names_limit = any(limit.lower() in text for limit in _SCHEMA_LIMITS) and (is_named or says_unsupported)
        if has_limits and names_limit:
            return replace(self, refused=self.refused.union(_SCHEMA_LIMITS))
        about_format = is_named or (says_unsupported and any(word in text for word in _FORMAT_WORDS))
        if about_format and not fixed_mode and self.schema_mode != _MODES[-1]:
            return replace(self, schema_mode=_MODES[_MODES.index(self.schema_mode) + 1])
        return None

    def without_thinking_options(self, sent: Mapping[str, Any]) -> RequestProfile | None:
        """The profile that says nothing of thinking; None where nothing of it was sent."""
        names = [name for name in _NO_THINKING if name in sent]
        return replace(self, refused=self.refused.union(names)) if names else None

    def _refuse(self, name: str) -> RequestProfile:
        return replace(self, refused=self.refused | {name})

    def _no_thinking(self) -> dict[str, Any]:
        options = {}
        for name, values in _NO_THINKING.items():
            value = next((value for value in values if f"{name}={value}" not in self.refused), None)
            if name not in self.refused and value is not None:
                options[name] = value
        return options


def _names(name: str, text: str, param: str, *, says_unsupported: bool) -> bool:
    """Whether a refusal is of this option."""
    return param == name or (says_unsupported and re.search(rf"(?<![\w-]){name}(?![\w-])", text) is not None)


def _without_limits(schema: Any) -> Any:
    """Return the schema without the keywords that limit lengths."""
    if isinstance(schema, Mapping):
        return {name: _without_limits(part) for name, part in schema.items() if name not in _SCHEMA_LIMITS}
    return [_without_limits(part) for part in schema] if isinstance(schema, list) else schema
