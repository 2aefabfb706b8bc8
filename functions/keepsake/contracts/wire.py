"""What every wire model has in common: strict types, no unknown fields, and no characters Postgres cannot hold."""

from __future__ import annotations

import re
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError, field_validator

from keepsake.errors import InvalidInput


class Request(BaseModel):
    """A body that is read: unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="after")
    @classmethod
    def _reject_nul(cls, value: Any) -> Any:
        if isinstance(value, str) and "\x00" in value:
            raise ValueError("must not contain NUL characters")
        return value


Content = TypeVar("Content")


class RootRequest(RootModel[Content], Generic[Content]):
    """A body that may have several shapes."""

    model_config = ConfigDict(strict=True, frozen=True, hide_input_in_errors=True)


class Response(BaseModel):
    """A body that is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Body = TypeVar("Body", bound=BaseModel)
_FIELD_PREFIX = re.compile(r"[a-z_]+: ")


def parse(model: type[Body], raw: bytes) -> Body:
    """The body as its model, or InvalidInput that names the fields; what was sent is not repeated."""
    try:
        return model.model_validate_json(raw or b"{}")
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        shape = 1 if issubclass(model, RootModel) else 0  # which of a body's shapes it is, is no part of a field's name
        raise InvalidInput(
            "The request body is not valid.",
            details="; ".join(_error_detail(problem, problem["loc"][shape:]) for problem in problems[:10]),
        ) from None


def _error_detail(problem: Any, location: tuple[int | str, ...]) -> str:
    """The field and what is wrong with it; what a body's own check says may name its field itself."""
    message = str(problem["msg"]).removeprefix("Value error, ")
    if not location and _FIELD_PREFIX.match(message):
        return message
    return f"{'.'.join(map(str, location)) or 'body'}: {message}"
