"""The pydantic base of what is read from a reply, and the types of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from keepsake.domain.replies.conversions import to_integer, to_share, to_text
from keepsake.domain.replies.field_name import field_name


class LenientModel(BaseModel):
    """Fields in any case of their names; null, and what says nothing, is left to the default; others are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _normalize_names(cls, fields: Any) -> Any:
        if not isinstance(fields, Mapping):
            return fields
        return {field_name(name): part for name, part in fields.items() if part is not None}


Text = Annotated[str, BeforeValidator(to_text)]
Integer = Annotated[int | None, BeforeValidator(to_integer)]
Share = Annotated[float | None, BeforeValidator(to_share)]
