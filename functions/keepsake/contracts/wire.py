"""What every wire model has in common: strict types, no unknown fields, and no characters Postgres cannot hold."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError, field_validator

from keepsake.errors import InvalidInput


class Request(BaseModel):
    """A body that is read: unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)

    @field_validator("*", mode="after")
    @classmethod
    def _storable(cls, value: Any) -> Any:
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


def parse(model: type[Body], raw: bytes) -> Body:
    """The body as its model, or InvalidInput that names the fields; what was sent is not repeated."""
    try:
        return model.model_validate_json(raw or b"{}")
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise InvalidInput(
            "The request body is not valid.",
            details="; ".join(f"{_path(problem['loc'])}: {_plain(problem)}" for problem in problems[:10]),
        ) from None


def _path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "body"


def _plain(problem: Any) -> str:
    return str(problem["msg"]).removeprefix("Value error, ")
