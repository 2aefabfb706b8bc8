"""The base classes of all wire models: strict types, no unknown fields, clean text that Postgres can store."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError, field_validator

from keepsake.domain.text import clean_text
from keepsake.errors import InvalidInput


class Request(BaseModel):
    """The base of request bodies: unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="after")
    @classmethod
    def _clean(cls, value: Any) -> Any:
        if isinstance(value, str) and "\x00" in value:
            raise ValueError("must not contain NUL characters")
        return clean_text(value) if isinstance(value, str) else value


Content = TypeVar("Content")


class RootRequest(RootModel[Content], Generic[Content]):
    """The base of request bodies with alternative forms."""

    model_config = ConfigDict(strict=True, frozen=True, hide_input_in_errors=True)


class Response(BaseModel):
    """The base of response bodies; built from a use case's result by the names of its fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)


Body = TypeVar("Body", bound=BaseModel)
_STORED_ID_KINDS = {"message_id": "messages", "conversation_id": "chats", "user_id": "people"}
_FIELD_PREFIX = re.compile(r"[a-z_]+: ")
_OWN_TEXTS = {
    "extra_forbidden": "There is no such field",
    "union_tag_not_found": "Field required",
    "union_tag_invalid": "Input should be one of {expected_tags}",
}
"""What is said in place of pydantic's own words, by the type of the error."""


def parse(model: type[Body], raw: bytes) -> Body:
    """Parse a body, or raise InvalidInput with the names of the fields; values are not repeated."""
    with _invalid_input("The request body is not valid.", shape=1 if issubclass(model, RootModel) else 0):
        return model.model_validate_json(raw or b"{}")


def parse_query(model: type[Body], query: Mapping[str, str]) -> Body:
    """Parse the parameters of an address in the same way; each is text, and is converted."""
    with _invalid_input("The query is not valid."):
        return model.model_validate(query)


@contextmanager
def _invalid_input(message: str, *, shape: int = 0) -> Iterator[None]:
    """Raise InvalidInput for what is not valid; ``shape`` leading parts of a location name no field."""
    try:
        yield
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        details = "; ".join(_error_detail(problem, problem["loc"][shape:]) for problem in problems[:10])
        raise InvalidInput(message, details=details, hint=_stored_id_hint(problems)) from None


def _stored_id_hint(problems: Sequence[Any]) -> str | None:
    """Say how the id of a row is stored that has none of the form of a UUID, where a request names such a one."""
    for problem in problems:
        kind = _STORED_ID_KINDS.get(str(problem["loc"][-1])) if problem["loc"] else None
        if kind and problem["type"] in {"uuid_type", "uuid_parsing"}:
            return f"An id that is no UUID is stored as md5('{kind} ' || id): docs/existing-tables.md."
    return None


def _error_detail(problem: Any, location: tuple[int | str, ...]) -> str:
    """Describe a validation error: the field, then what is wrong with it."""
    context = problem.get("ctx", {})
    if discriminator := context.get("discriminator"):  # the field that says which form the body has
        location = (discriminator.strip("'"),)
    own = _OWN_TEXTS.get(problem["type"])
    message = own.format(**context) if own else str(problem["msg"]).removeprefix("Value error, ")
    if not location and _FIELD_PREFIX.match(message):
        return message
    return f"{'.'.join(map(str, location))[:100] or 'body'}: {message}"
