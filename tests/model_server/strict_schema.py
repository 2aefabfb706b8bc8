"""What OpenAI refuses in a request for structured output, as its documentation has it, so that we are refused too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.model_server.completions import texts

_UNKNOWN = {"allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "dependentRequired", "default"}
_MOST_LEVELS = 10


def refusal_of(body: Mapping[str, Any]) -> str | None:
    """Why the request's `response_format` is refused, if it is."""
    wanted = body.get("response_format")
    if wanted is None:
        return None
    if not isinstance(wanted, dict) or wanted.get("type") not in {"text", "json_object", "json_schema"}:
        return "Invalid value: 'response_format.type'."
    if wanted["type"] == "json_object" and not any("json" in text.lower() for text in texts(body)):
        return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
    if wanted["type"] == "json_schema":
        return next(_faults_of_format(wanted.get("json_schema")), None)
    return None


def _faults_of_format(named: object) -> Iterator[str]:
    if not isinstance(named, dict) or not isinstance(named.get("schema"), dict):
        yield "Missing required parameter: 'response_format.json_schema.schema'."
        return
    name = str(named.get("name", ""))
    if not 0 < len(name) <= 64 or not name.replace("_", "").replace("-", "").isalnum():
        yield "Invalid 'response_format.json_schema.name'."
    if named["schema"].get("type") != "object" or "anyOf" in named["schema"]:
        yield "Invalid schema for response_format: the root must be an object."
    if named.get("strict"):
        yield from faults_of_schema(named["schema"])


def faults_of_schema(schema: object, path: str = "schema", level: int = 0) -> Iterator[str]:
    """What strict mode does not take in a schema."""
    if not isinstance(schema, dict):
        return
    if level > _MOST_LEVELS:
        yield f"{path} is nested too deeply"
        return
    yield from (f"In {path}, '{keyword}' is not permitted." for keyword in sorted(_UNKNOWN & schema.keys()))
    properties = schema.get("properties")
    if isinstance(properties, dict):
        if schema.get("additionalProperties") is not False:
            yield f"In {path}, 'additionalProperties' is required to be supplied and to be false."
        if sorted(schema.get("required", ())) != sorted(properties):
            yield f"In {path}, 'required' is required to be supplied and to name every key in properties."
        for name, part in properties.items():
            yield from faults_of_schema(part, f"{path}.{name}", level + 1)
    elif schema.get("type") == "object":
        yield f"In {path}, an object without properties is not permitted."
    yield from faults_of_schema(schema.get("items"), f"{path}[]", level + 1)
    for part in schema.get("anyOf", ()):
        yield from faults_of_schema(part, f"{path}|", level)
